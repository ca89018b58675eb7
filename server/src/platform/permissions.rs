//! The roles of the people who work in the shop, their permissions, and the one table that says which role has which.
//! An endpoint states its permission in its signature (`Staff<ReadOrders>`, see `sessions`), and its `security` in the
//! API document repeats it.

use serde_json::json;

use super::api_error::ApiError;
use super::messages::message;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum Role {
    Owner,
    Manager,
    Packer,
    Rider,
}

impl Role {
    pub const ALL: [Self; 4] = [Self::Owner, Self::Manager, Self::Packer, Self::Rider];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Manager => "manager",
            Self::Packer => "packer",
            Self::Rider => "rider",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }

    /// Whether `REQUIRE_SECOND_FACTOR` applies to this role.
    pub const fn requires_second_factor(self) -> bool {
        matches!(self, Self::Owner | Self::Manager)
    }
}

impl std::str::FromStr for Role {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::from_name(name).ok_or_else(|| "must be owner, manager, packer or rider".to_owned())
    }
}

/// What a role may do with a permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Denied,
    Allowed,
    /// Only if the second factor was proved within the last ten minutes.
    WithSecondFactor,
}

/// The permission of an endpoint, as a type.
pub trait RequiredPermission {
    const PERMISSION: Permission;
}

macro_rules! permissions {
    ($($name:ident $id:literal $owner:ident $manager:ident $packer:ident $rider:ident;)+) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Permission {
            $($name,)+
        }

        impl Permission {
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            /// The name in the API document and in the seller's profile.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $id,)+
                }
            }

            pub const fn access(self, role: Role) -> Access {
                match (self, role) {
                    $(
                        (Self::$name, Role::Owner) => Access::$owner,
                        (Self::$name, Role::Manager) => Access::$manager,
                        (Self::$name, Role::Packer) => Access::$packer,
                        (Self::$name, Role::Rider) => Access::$rider,
                    )+
                }
            }
        }

        $(
            pub struct $name;

            impl RequiredPermission for $name {
                const PERMISSION: Permission = Permission::$name;
            }
        )+
    };
}

permissions! {
    // permission                                 owner   manager          packer  rider
    UseOwnAccount      "account.own"              Allowed Allowed          Allowed Allowed;
    SetUpSecondFactor  "account.second_factor"    Allowed Allowed          Allowed Allowed;
    ReadOrders         "orders.read"              Allowed Allowed          Allowed Denied;
    ChangeOrders       "orders.change"            Allowed Allowed          Allowed Denied;
    AssignRiders       "orders.assign_rider"      Allowed Allowed          Allowed Denied;
    DeliverOwnOrders   "deliveries.own"           Denied  Denied           Denied  Allowed;
    ManageCash         "cash.manage"              Allowed Allowed          Denied  Denied;
    HandleCases        "cases.handle"             Allowed Allowed          Denied  Denied;
    Refund             "refunds.small"            Allowed Allowed          Denied  Denied;
    RefundLarge        "refunds.large"            Allowed WithSecondFactor Denied  Denied;
    ReadProducts       "products.read"            Allowed Allowed          Allowed Denied;
    EditProducts       "products.edit"            Allowed Allowed          Denied  Denied;
    ImportProducts     "products.import"          Allowed Allowed          Denied  Denied;
    ExportProducts     "products.export"          Allowed WithSecondFactor Denied  Denied;
    EditCategories     "categories.edit"          Allowed Allowed          Denied  Denied;
    RecordStock        "inventory.record"         Allowed Allowed          Allowed Denied;
    ReadCosts          "inventory.costs"          Allowed Allowed          Denied  Denied;
    ReadMoneyReports   "reports.money"            Allowed Allowed          Denied  Denied;
    ExportMoneyReports "reports.export"           Allowed WithSecondFactor Denied  Denied;
    ReadSubscribers    "newsletter.read"          Allowed Allowed          Denied  Denied;
    ExportSubscribers  "newsletter.export"        Allowed WithSecondFactor Denied  Denied;
    SendNewsletters    "newsletter.send"          Allowed Allowed          Denied  Denied;
    ReadSettings       "settings.read"            Allowed Allowed          Denied  Denied;
    EditSettings       "settings.edit"            Allowed WithSecondFactor Denied  Denied;
    EditClosedDays     "delivery.closed_days"     Allowed Allowed          Denied  Denied;
    ReadStaff          "staff.read"               Allowed Allowed          Denied  Denied;
    ManageStaff        "staff.manage"             Allowed WithSecondFactor Denied  Denied;
    ReadAuditLog       "audit.read"               Allowed Allowed          Denied  Denied;
}

impl Permission {
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|permission| permission.name() == name)
    }

    /// Checks the permission of a person whose session has this role, and who may have proved the second factor a
    /// moment ago.
    pub fn check(self, role: Role, has_fresh_second_factor: bool) -> Result<(), ApiError> {
        let data = json!({ "permission": self.name() });
        match self.access(role) {
            Access::Allowed => Ok(()),
            Access::WithSecondFactor if has_fresh_second_factor => Ok(()),
            Access::WithSecondFactor => {
                let message = message!("api.staff.second_factor_needed");
                Err(ApiError::forbidden("second_factor_needed", message).with_data(data))
            }
            Access::Denied => {
                Err(ApiError::forbidden("not_allowed", message!("api.staff.not_allowed")).with_data(data))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_owner_may_do_everything_but_ride() {
        for permission in Permission::ALL {
            let expected = if *permission == Permission::DeliverOwnOrders { Access::Denied } else { Access::Allowed };
            assert_eq!(permission.access(Role::Owner), expected, "{}", permission.name());
        }
    }

    #[test]
    fn names_are_unique_and_found() {
        for permission in Permission::ALL {
            assert_eq!(Permission::from_name(permission.name()), Some(*permission));
        }
        for role in Role::ALL {
            assert_eq!(Role::from_name(role.name()), Some(role));
        }
    }

    #[test]
    fn a_second_factor_opens_only_what_it_is_for() {
        assert!(Permission::EditSettings.check(Role::Manager, true).is_ok());
        assert_eq!(Permission::EditSettings.check(Role::Manager, false).unwrap_err().code(), "second_factor_needed");
        assert_eq!(Permission::EditSettings.check(Role::Packer, true).unwrap_err().code(), "not_allowed");
    }
}
