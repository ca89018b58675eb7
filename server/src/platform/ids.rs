//! The ids of orders, payments, shoppers and products. Each has its own type, so that the id of one cannot be used where
//! another is wanted; in JSON and in the database all are plain UUIDs.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

macro_rules! define_ids {
    ($($(#[$doc:meta])* $name:ident;)+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, sqlx::Type)]
        #[serde(transparent)]
        #[sqlx(transparent)]
        pub struct $name(pub Uuid);

        impl $name {
            /// Creates an id that sorts after those created before.
            pub fn generate() -> Self {
                Self(Uuid::now_v7())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, uuid::Error> {
                text.parse().map(Self)
            }
        }

        /// `query_as!` converts the columns of a row with it.
        impl From<Uuid> for $name {
            fn from(id: Uuid) -> Self {
                Self(id)
            }
        }
    )+};
}

define_ids! {
    OrderId;
    PaymentId;
    /// Identifies a shopper; sellers have ids of their own.
    UserId;
    ProductId;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_written_and_read_as_a_plain_uuid() {
        let text = "019a0000-0000-7000-8000-000000000001";
        let id: OrderId = text.parse().unwrap();

        assert_eq!(id.to_string(), text);
        assert_eq!(serde_json::to_value(id).unwrap(), text);
        assert_eq!(serde_json::from_value::<OrderId>(text.into()).unwrap(), id);
    }
}
