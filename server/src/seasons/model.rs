//! Seasons as they are stored, and which of them is shown.

use chrono::{DateTime, Days, NaiveDate, Utc};
use uuid::Uuid;

use crate::platform::clock::start_of_nepal_day;
use crate::platform::language::Language;
use crate::platform::messages::{Message, Render, message};

/// What a season is about. `web/public/seasons` has a picture for each, and `home.css` its colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Theme {
    Dashain,
    Tihar,
    Chhath,
    NewYear,
    Holi,
    Teej,
    Losar,
    Monsoon,
}

impl Theme {
    pub const ALL: [Self; 8] =
        [Self::Dashain, Self::Tihar, Self::Chhath, Self::NewYear, Self::Holi, Self::Teej, Self::Losar, Self::Monsoon];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Dashain => "dashain",
            Self::Tihar => "tihar",
            Self::Chhath => "chhath",
            Self::NewYear => "new_year",
            Self::Holi => "holi",
            Self::Teej => "teej",
            Self::Losar => "losar",
            Self::Monsoon => "monsoon",
        }
    }

    /// The title and the text that a season has if the seller writes none.
    fn default_messages(self) -> (Message, Message) {
        match self {
            Self::Dashain => (message!("seasons.dashain.title"), message!("seasons.dashain.text")),
            Self::Tihar => (message!("seasons.tihar.title"), message!("seasons.tihar.text")),
            Self::Chhath => (message!("seasons.chhath.title"), message!("seasons.chhath.text")),
            Self::NewYear => (message!("seasons.new_year.title"), message!("seasons.new_year.text")),
            Self::Holi => (message!("seasons.holi.title"), message!("seasons.holi.text")),
            Self::Teej => (message!("seasons.teej.title"), message!("seasons.teej.text")),
            Self::Losar => (message!("seasons.losar.title"), message!("seasons.losar.text")),
            Self::Monsoon => (message!("seasons.monsoon.title"), message!("seasons.monsoon.text")),
        }
    }

    pub fn default_texts(self) -> SeasonTexts {
        let (title, text) = self.default_messages();
        SeasonTexts {
            title: title.render(Language::English),
            title_ne: title.render(Language::Nepali),
            text: text.render(Language::English),
            text_ne: text.render(Language::Nepali),
        }
    }
}

/// The texts of the hero in both languages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SeasonTexts {
    pub title: String,
    pub title_ne: String,
    pub text: String,
    pub text_ne: String,
}

impl SeasonTexts {
    /// Fills in what is empty. An English text without a Nepali one is shown in both languages, because the theme's
    /// Nepali text would say something else.
    fn or_defaults(&self, defaults: &Self) -> Self {
        let either = |own: &str, own_ne: &str, default: &str, default_ne: &str| match (own, own_ne) {
            ("", "") => (default.to_owned(), default_ne.to_owned()),
            ("", nepali) => (nepali.to_owned(), nepali.to_owned()),
            (english, "") => (english.to_owned(), english.to_owned()),
            (english, nepali) => (english.to_owned(), nepali.to_owned()),
        };
        let (title, title_ne) = either(&self.title, &self.title_ne, &defaults.title, &defaults.title_ne);
        let (text, text_ne) = either(&self.text, &self.text_ne, &defaults.text, &defaults.text_ne);
        Self { title, title_ne, text, text_ne }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Season {
    pub id: Uuid,
    pub theme: Theme,
    /// The first and the last day in Nepal.
    pub starts_on: NaiveDate,
    pub ends_on: NaiveDate,
    /// As the seller wrote them; an empty one stands for the theme's.
    pub texts: SeasonTexts,
    /// Changes with every edit.
    pub version: i32,
}

/// What the seller decides about a season.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeasonTerms {
    pub theme: Theme,
    pub starts_on: NaiveDate,
    pub ends_on: NaiveDate,
    pub texts: SeasonTexts,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeasonState {
    Planned,
    /// The home page shows it.
    Shown,
    /// It is its time, but another season has begun since.
    Covered,
    Ended,
}

impl Season {
    pub fn starts_at(&self) -> DateTime<Utc> {
        start_of_nepal_day(self.starts_on)
    }

    /// The midnight after its last day.
    pub fn ends_at(&self) -> DateTime<Utc> {
        start_of_nepal_day(self.ends_on.checked_add_days(Days::new(1)).unwrap_or(self.ends_on))
    }

    fn is_running(&self, now: DateTime<Utc>) -> bool {
        self.starts_at() <= now && now < self.ends_at()
    }

    /// The texts that shoppers read.
    pub fn shown_texts(&self) -> SeasonTexts {
        self.texts.or_defaults(&self.theme.default_texts())
    }

    pub fn state(&self, all: &[Self], now: DateTime<Utc>) -> SeasonState {
        if now >= self.ends_at() {
            SeasonState::Ended
        } else if now < self.starts_at() {
            SeasonState::Planned
        } else if shown_at(all, now).is_some_and(|shown| shown.id == self.id) {
            SeasonState::Shown
        } else {
            SeasonState::Covered
        }
    }
}

/// The season of this moment. Seasons may overlap, as a festival lies within the monsoon: the one that began last is
/// shown, and the longer one again after it. Of two that begin on one day, the newer one is shown.
pub fn shown_at(seasons: &[Season], now: DateTime<Utc>) -> Option<&Season> {
    seasons.iter().filter(|season| season.is_running(now)).max_by_key(|season| (season.starts_on, season.id))
}

/// When another season may be shown: the next moment at which one begins or ends.
pub fn next_change(seasons: &[Season], now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    seasons.iter().flat_map(|season| [season.starts_at(), season.ends_at()]).filter(|at| *at > now).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn season(theme: Theme, starts_on: &str, ends_on: &str) -> Season {
        Season {
            id: Uuid::now_v7(),
            theme,
            starts_on: starts_on.parse().unwrap(),
            ends_on: ends_on.parse().unwrap(),
            texts: SeasonTexts::default(),
            version: 1,
        }
    }

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    #[test]
    fn a_season_begins_and_ends_at_midnight_in_nepal() {
        let seasons = [season(Theme::Tihar, "2026-11-07", "2026-11-11")];
        let theme = |moment: &str| shown_at(&seasons, at(moment)).map(|season| season.theme);

        assert_eq!(theme("2026-11-06T18:14:59Z"), None);
        assert_eq!(next_change(&seasons, at("2026-11-06T18:14:59Z")), Some(at("2026-11-06T18:15:00Z")));
        assert_eq!(theme("2026-11-06T18:15:00Z"), Some(Theme::Tihar));
        assert_eq!(next_change(&seasons, at("2026-11-06T18:15:00Z")), Some(at("2026-11-11T18:15:00Z")));
        assert_eq!(theme("2026-11-11T18:14:59Z"), Some(Theme::Tihar), "its last day is a whole one");
        assert_eq!(theme("2026-11-11T18:15:00Z"), None);
        assert_eq!(next_change(&seasons, at("2026-11-11T18:15:00Z")), None);
    }

    #[test]
    fn a_festival_within_a_longer_season_is_shown_and_then_the_longer_one_again() {
        let seasons =
            [season(Theme::Monsoon, "2026-06-15", "2026-09-20"), season(Theme::Teej, "2026-09-12", "2026-09-14")];
        let themes = ["2026-09-11", "2026-09-12", "2026-09-14", "2026-09-15"]
            .map(|day| shown_at(&seasons, at(&format!("{day}T06:00:00Z"))).unwrap().theme);

        assert_eq!(themes, [Theme::Monsoon, Theme::Teej, Theme::Teej, Theme::Monsoon]);
        let [monsoon, teej] = &seasons;
        let states = |moment| [monsoon.state(&seasons, at(moment)), teej.state(&seasons, at(moment))];
        assert_eq!(states("2026-08-01T06:00:00Z"), [SeasonState::Shown, SeasonState::Planned]);
        assert_eq!(states("2026-09-13T06:00:00Z"), [SeasonState::Covered, SeasonState::Shown]);
        assert_eq!(states("2026-10-01T06:00:00Z"), [SeasonState::Ended, SeasonState::Ended]);
    }

    #[test]
    fn of_two_that_begin_on_one_day_the_newer_one_is_shown() {
        let seasons =
            [season(Theme::NewYear, "2026-04-14", "2026-04-16"), season(Theme::Holi, "2026-04-14", "2026-04-15")];

        assert_eq!(shown_at(&seasons, at("2026-04-14T06:00:00Z")).unwrap().theme, Theme::Holi);
    }

    #[test]
    fn texts_that_the_seller_did_not_write_are_those_of_the_theme() {
        let plain = season(Theme::Dashain, "2026-10-11", "2026-10-25");
        let own = |title: &str, title_ne: &str| {
            let texts =
                SeasonTexts { title: title.to_owned(), title_ne: title_ne.to_owned(), ..SeasonTexts::default() };
            let shown = Season { texts, ..plain.clone() }.shown_texts();
            (shown.title, shown.title_ne)
        };

        let defaults = Theme::Dashain.default_texts();
        assert_eq!(plain.shown_texts(), defaults);
        assert_eq!(own("Feast!", "भोज!"), ("Feast!".to_owned(), "भोज!".to_owned()));
        assert_eq!(own("Feast!", ""), ("Feast!".to_owned(), "Feast!".to_owned()));
        assert_eq!(own("", "भोज!"), ("भोज!".to_owned(), "भोज!".to_owned()));
    }

    #[test]
    fn every_theme_has_texts_in_both_languages() {
        for theme in Theme::ALL {
            let texts = theme.default_texts();
            assert!(!texts.title.is_empty() && !texts.text.is_empty(), "{theme:?}");
            assert!(texts.title != texts.title_ne && texts.text != texts.text_ne, "{theme:?}");
        }
    }
}
