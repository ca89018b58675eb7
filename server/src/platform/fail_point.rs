//! Points between two steps at which a test can let the process die. A point is a name in the code; it does nothing
//! until a test arms it, and it is compiled only where debug assertions are on: a release build has neither the calls
//! nor the names. `server/tests/it/crash.rs` kills the process at each of them. See
//! `docs/decisions/058-fail-points-for-crash-tests.md`.

/// Marks a point at which the process may die. `$app` is the process; `$name` is `module.action.step` and occurs only
/// once in the code.
macro_rules! fail_point {
    ($app:expr, $name:literal) => {
        #[cfg(debug_assertions)]
        $app.fail_points.reach($name).await;
        #[cfg(not(debug_assertions))]
        let _ = &$app;
    };
}
pub(crate) use fail_point;

#[cfg(debug_assertions)]
pub use armed::FailPoints;

#[cfg(debug_assertions)]
mod armed {
    use std::future::pending;
    use std::sync::{Mutex, MutexGuard, PoisonError};

    use tokio::sync::Notify;

    /// The points of one process. Every `App` has its own, so that a test can kill one instance and not the other.
    #[derive(Default)]
    pub struct FailPoints {
        watch: Mutex<Watch>,
        died: Notify,
    }

    #[derive(Default)]
    struct Watch {
        is_on: bool,
        passed: Vec<&'static str>,
        /// A point, and how often it is passed before the process dies there.
        deadly: Option<(String, usize)>,
        is_dead: bool,
    }

    impl FailPoints {
        fn watch(&self) -> MutexGuard<'_, Watch> {
            self.watch.lock().unwrap_or_else(PoisonError::into_inner)
        }

        /// Records the points that are passed from now on.
        pub fn record(&self) {
            *self.watch() = Watch { is_on: true, ..Watch::default() };
        }

        /// Lets the process die when it reaches `point` once more than `passes` times.
        pub fn arm(&self, point: &str, passes: usize) {
            *self.watch() = Watch { is_on: true, deadly: Some((point.to_owned(), passes)), ..Watch::default() };
        }

        /// The points that were passed since `record` or `arm`, in their order.
        pub fn passed(&self) -> Vec<&'static str> {
            self.watch().passed.clone()
        }

        /// Returns when the process has died. The test then cuts its connections, because only the database may undo
        /// what was begun.
        pub async fn died(&self) {
            self.died.notified().await;
        }

        /// A process that has died never goes on: no destructor, no error and no rollback of its own runs after this.
        pub async fn reach(&self, point: &'static str) {
            if self.is_deadly(point) {
                self.died.notify_one();
                pending::<()>().await;
            }
        }

        fn is_deadly(&self, point: &'static str) -> bool {
            let mut watch = self.watch();
            if !watch.is_on {
                return false;
            }
            let passes = watch.passed.iter().filter(|passed| **passed == point).count();
            watch.is_dead |= watch.deadly.as_ref().is_some_and(|(deadly, after)| deadly == point && *after == passes);
            if !watch.is_dead {
                watch.passed.push(point);
            }
            watch.is_dead
        }
    }
}

#[cfg(all(test, debug_assertions))]
mod tests {
    use futures_util::FutureExt;

    use super::FailPoints;

    #[tokio::test]
    async fn a_point_that_is_not_armed_only_counts_when_it_is_recorded() {
        let points = FailPoints::default();

        points.reach("a").await;
        assert!(points.passed().is_empty());
        points.record();
        points.reach("a").await;
        points.reach("b").await;

        assert_eq!(points.passed(), ["a", "b"]);
    }

    #[tokio::test]
    async fn a_process_dies_at_the_second_pass_and_does_nothing_afterwards() {
        let points = FailPoints::default();
        points.arm("a", 1);

        points.reach("a").await;
        points.reach("b").await;
        assert!(points.reach("a").now_or_never().is_none(), "it dies here");

        points.died().await;
        assert!(points.reach("b").now_or_never().is_none(), "and so does whatever else it was doing");
        assert_eq!(points.passed(), ["a", "b"]);
    }
}
