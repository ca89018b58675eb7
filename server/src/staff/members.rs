//! What an owner, or within limits a manager, does with the accounts of the others: role, access, second factor. Each
//! change ends the person's sessions and is in the audit log.

use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::audit::record_audit_entry;
use super::model::{Member, NewAuditEntry};
use super::{SellerError, security_emails, store};
use crate::notifications::SecurityEmailKind;
use crate::platform::account_kind::AccountKind;
use crate::platform::permissions::Role;
use crate::platform::security_log::{self, Actor, SecurityEventKind};
use crate::platform::sessions::{self, StaffSession};
use crate::platform::state::App;

/// Whether this role may invite or change people of the other role: an owner anyone, a manager only packers and riders.
pub fn check_may_manage(by: &StaffSession, role: Role) -> Result<(), SellerError> {
    match (by.role, role) {
        (Role::Owner, _) | (Role::Manager, Role::Packer | Role::Rider) => Ok(()),
        _ => Err(SellerError::OwnerNeeded),
    }
}

/// Locks the person for a change by someone else.
async fn lock_other(connection: &mut PgConnection, by: &StaffSession, member: Uuid) -> Result<Member, SellerError> {
    if member == by.person {
        return Err(SellerError::OwnAccount);
    }
    let member = store::lock_member(connection, member).await?.ok_or(SellerError::MemberNotFound)?;
    check_may_manage(by, member.role)?;
    Ok(member)
}

/// Locks the person for a change that may remove an owner. All owners are locked first, so that two owners cannot remove
/// each other at the same moment; the last one stays.
async fn lock_for_removal(
    connection: &mut PgConnection,
    by: &StaffSession,
    member: Uuid,
) -> Result<Member, SellerError> {
    let owners = store::lock_active_owners(connection).await?;
    let member = lock_other(connection, by, member).await?;
    if owners.iter().any(|owner| *owner != member.id) { Ok(member) } else { Err(SellerError::LastOwner) }
}

pub async fn change_role(app: &App, by: &StaffSession, member: Uuid, role: Role) -> Result<(), SellerError> {
    check_may_manage(by, role)?;
    let mut tx = app.db.main.begin().await?;
    let member = lock_for_removal(&mut tx, by, member).await?;
    if member.role == role {
        return Ok(());
    }
    store::set_role(&mut tx, member.id, role, app.clock.now()).await?;
    let change = MemberChange {
        action: "staff.role",
        event: SecurityEventKind::RoleChanged,
        before: member.role.name(),
        after: role.name(),
    };
    finish(&mut tx, by, &member, &change).await?;
    tx.commit().await?;
    Ok(())
}

pub async fn set_disabled(app: &App, by: &StaffSession, member: Uuid, is_disabled: bool) -> Result<(), SellerError> {
    let mut tx = app.db.main.begin().await?;
    let member = lock_for_removal(&mut tx, by, member).await?;
    if member.is_disabled == is_disabled {
        return Ok(());
    }
    store::set_disabled(&mut tx, member.id, is_disabled, app.clock.now()).await?;
    let change = if is_disabled {
        MemberChange { action: "staff.disable", event: SecurityEventKind::SellerDisabled, before: "", after: "" }
    } else {
        MemberChange { action: "staff.enable", event: SecurityEventKind::SellerEnabled, before: "", after: "" }
    };
    finish(&mut tx, by, &member, &change).await?;
    tx.commit().await?;
    Ok(())
}

/// Removes the second factor of a person who has lost it.
pub async fn reset_second_factor(app: &App, by: &StaffSession, member: Uuid) -> Result<(), SellerError> {
    let mut tx = app.db.main.begin().await?;
    let member = lock_other(&mut tx, by, member).await?;
    store::set_second_step(&mut tx, member.id, None, app.clock.now()).await?;
    store::replace_backup_codes(&mut tx, member.id, &[]).await?;
    security_emails::send_security_email(&mut tx, member.id, SecurityEmailKind::SellerSecondStep, String::new())
        .await?;
    let change = MemberChange {
        action: "staff.reset_second_factor",
        event: SecurityEventKind::SecondStepOff,
        before: "",
        after: "",
    };
    finish(&mut tx, by, &member, &change).await?;
    tx.commit().await?;
    Ok(())
}

struct MemberChange {
    action: &'static str,
    event: SecurityEventKind,
    before: &'static str,
    after: &'static str,
}

/// Ends the person's sessions and pending logins, and records the change in both logs.
async fn finish(
    connection: &mut PgConnection,
    by: &StaffSession,
    member: &Member,
    change: &MemberChange,
) -> Result<(), SellerError> {
    let actor = Actor::Seller(by.person);
    store::delete_pending_logins(connection, member.id).await?;
    sessions::end_all_by(connection, actor, AccountKind::Seller, member.id, None).await?;
    let object = member.id.to_string();
    let audit_entry = NewAuditEntry {
        seller: by.person,
        action: change.action,
        object: &object,
        about: &member.name,
        before: change.before,
        after: change.after,
    };
    record_audit_entry(connection, &audit_entry).await?;
    security_log::record(connection, change.event, actor, &object, &json!({})).await?;
    Ok(())
}
