//! Invitations by email to work in the shop. The worker creates the link's token when it sends the email, so the queue
//! never contains one (decision 039). A link works once and for 72 hours.

use std::time::Duration;

use http::{HeaderMap, HeaderValue};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::audit::record_audit_entry;
use super::members::check_may_manage;
use super::model::{Invitation, NewAuditEntry, Profile};
use super::passwords::MIN_PASSWORD_LENGTH;
use super::{SellerError, store};
use crate::notifications::{self, Email, Recipient};
use crate::platform::account_kind::AccountKind;
use crate::platform::jobs::{self, Job};
use crate::platform::language::Language;
use crate::platform::permissions::Role;
use crate::platform::security_log::{self, Actor, SecurityEventKind};
use crate::platform::sessions::{self, LoginKind, StaffSession};
use crate::platform::state::App;
use crate::platform::{contact, throttle, tokens};

const INVITATION_LIFETIME: Duration = Duration::from_hours(72);
const MAX_NAME_LENGTH: usize = 60;
/// One person may send this many invitations a day.
const INVITATIONS_PER_DAY: u32 = 30;

#[derive(Serialize, Deserialize)]
pub struct SendInvitation {
    /// Becomes the Message-ID, so that it is the same on every run of the job.
    id: Uuid,
    invitation: Uuid,
}

impl Job for SendInvitation {
    const NAME: &'static str = "staff.send_invitation";

    async fn run(self, app: &App) -> Result<(), String> {
        let token = tokens::generate().map_err(|_| "no random numbers".to_owned())?;
        let minted = self.mint_link(app, &token).await.map_err(|error| error.to_string())?;
        // The invitation may have been revoked since the job was queued.
        let Some((to, email)) = minted else { return Ok(()) };
        notifications::deliver_email(app, self.id, &to, &email).await
    }
}

impl SendInvitation {
    async fn mint_link(&self, app: &App, token: &str) -> sqlx::Result<Option<(Recipient, Email)>> {
        let mut tx = app.db.main.begin().await?;
        let Some(invitation) = store::lock_invitation(&mut tx, self.invitation, app.clock.now()).await? else {
            return Ok(None);
        };
        let language = store::insert_invitation_link(&mut tx, invitation.id, &tokens::hash(token)).await?;
        tx.commit().await?;
        let link = format!("{}/seller/join#token={token}", app.config.public_url);
        let to = Recipient { email: invitation.email, name: invitation.name, language: Language::from_code(&language) };
        Ok(Some((to, Email::StaffInvitation { link, role: invitation.role.name().to_owned() })))
    }
}

async fn enqueue_email(connection: &mut PgConnection, invitation: Uuid) -> sqlx::Result<()> {
    jobs::enqueue(connection, &SendInvitation { id: Uuid::now_v7(), invitation }).await
}

/// Returns the name without surrounding spaces.
fn parse_name(name: &str) -> Result<&str, SellerError> {
    let name = name.trim();
    let fits = (1..=MAX_NAME_LENGTH).contains(&name.chars().count()) && !name.contains(char::is_control);
    if fits { Ok(name) } else { Err(SellerError::NameInvalid) }
}

/// Invites a person. An earlier invitation to the same address is replaced.
pub async fn invite(
    app: &App,
    by: &StaffSession,
    email: &str,
    name: &str,
    role: Role,
    headers: &HeaderMap,
) -> Result<(), SellerError> {
    check_may_manage(by, role)?;
    let email = contact::parse_email(email).ok_or(SellerError::EmailInvalid)?;
    let name = parse_name(name)?;
    let now = app.clock.now();
    check_daily_limit(app, by).await?;
    let mut tx = app.db.main.begin().await?;
    if store::find_by_email(&mut tx, &email).await?.is_some() {
        return Err(SellerError::MemberExists);
    }
    let new = store::NewInvitation {
        id: Uuid::now_v7(),
        email: &email,
        name,
        role,
        language: Language::from_headers(headers).code(),
        invited_by: by.person,
        expires_at: now + INVITATION_LIFETIME,
    };
    store::replace_invitation(&mut tx, &new, now).await?;
    enqueue_email(&mut tx, new.id).await?;
    record(&mut tx, by.person, "staff.invite", new.id, &email, role).await?;
    let subject = new.id.to_string();
    let (who, details) = (Actor::Seller(by.person), json!({ "role": role.name() }));
    security_log::record(&mut tx, SecurityEventKind::StaffInvited, who, &subject, &details).await?;
    tx.commit().await?;
    Ok(())
}

async fn check_daily_limit(app: &App, by: &StaffSession) -> Result<(), SellerError> {
    let (whom, day) = (by.person.to_string(), Duration::from_hours(24));
    let now = app.clock.now();
    throttle::check_limit(&app.db.main, "staff.invite", &whom, INVITATIONS_PER_DAY, day, now).await?;
    Ok(())
}

/// Sends the email again with a new link; earlier links are no longer valid.
pub async fn resend(app: &App, by: &StaffSession, id: Uuid) -> Result<(), SellerError> {
    check_daily_limit(app, by).await?;
    let mut tx = app.db.main.begin().await?;
    let invitation = lock_for_change(app, &mut tx, by, id).await?;
    store::delete_invitation_links(&mut tx, id).await?;
    store::extend_invitation(&mut tx, id, app.clock.now() + INVITATION_LIFETIME).await?;
    enqueue_email(&mut tx, id).await?;
    record(&mut tx, by.person, "staff.resend_invitation", id, &invitation.email, invitation.role).await?;
    tx.commit().await?;
    Ok(())
}

pub async fn revoke(app: &App, by: &StaffSession, id: Uuid) -> Result<(), SellerError> {
    let mut tx = app.db.main.begin().await?;
    let invitation = lock_for_change(app, &mut tx, by, id).await?;
    store::delete_invitation(&mut tx, id).await?;
    record(&mut tx, by.person, "staff.revoke_invitation", id, &invitation.email, invitation.role).await?;
    tx.commit().await?;
    Ok(())
}

async fn lock_for_change(
    app: &App,
    connection: &mut PgConnection,
    by: &StaffSession,
    id: Uuid,
) -> Result<Invitation, SellerError> {
    let invitation = store::lock_invitation(connection, id, app.clock.now()).await?;
    let invitation = invitation.ok_or(SellerError::InvitationNotFound)?;
    check_may_manage(by, invitation.role)?;
    Ok(invitation)
}

/// Returns the invitation of a link.
pub async fn find(app: &App, token: &str) -> Result<Invitation, SellerError> {
    let found = store::find_invitation_by_token(&app.db.main, &tokens::hash(token), app.clock.now()).await?;
    found.ok_or(SellerError::InvitationInvalid)
}

/// Creates the account of the invited person and signs them in. The link is used up.
pub async fn accept(
    app: &App,
    token: &str,
    name: &str,
    password: &str,
    headers: &HeaderMap,
) -> Result<(Profile, Vec<HeaderValue>), SellerError> {
    let invitation = find(app, token).await?;
    let name = parse_name(name)?;
    if password.chars().count() < MIN_PASSWORD_LENGTH {
        return Err(SellerError::PasswordShort);
    }
    let password_hash = app.passwords.hash_new(password, &[&invitation.email, name]).await?;
    let (id, now) = (Uuid::now_v7(), app.clock.now());
    let mut tx = app.db.main.begin().await?;
    // The invitation may have been used, sent again or revoked while the password was being hashed.
    let invitation = store::lock_invitation(&mut tx, invitation.id, now).await?;
    let invitation = invitation.ok_or(SellerError::InvitationInvalid)?;
    if !store::has_link(&mut tx, invitation.id, &tokens::hash(token)).await? {
        return Err(SellerError::InvitationInvalid);
    }
    let role = invitation.role;
    let new = store::NewMember { id, email: &invitation.email, name, role, password_hash: &password_hash };
    if !store::insert(&mut tx, &new, now).await? {
        return Err(SellerError::MemberExists);
    }
    store::delete_invitation(&mut tx, invitation.id).await?;
    store::set_language(&mut tx, id, Language::from_headers(headers).code()).await?;
    record(&mut tx, id, "staff.join", id, name, role).await?;
    let (who, details) = (Actor::Seller(id), json!({ "role": role.name(), "invited_by": invitation.invited_by }));
    security_log::record(&mut tx, SecurityEventKind::SellerCreated, who, &id.to_string(), &details).await?;
    let login = LoginKind::Staff { role, temporary_password: false, with_code: false };
    let cookies = sessions::begin(&mut tx, AccountKind::Seller, id, headers, login, now).await?;
    tx.commit().await?;
    let (name, email) = (name.to_owned(), invitation.email);
    Ok((Profile { name, email, role, has_second_step: false, must_change_password: false }, cookies))
}

async fn record(
    connection: &mut PgConnection,
    seller: Uuid,
    action: &str,
    object: Uuid,
    about: &str,
    role: Role,
) -> sqlx::Result<()> {
    let object = object.to_string();
    let audit_entry = NewAuditEntry { seller, action, object: &object, about, before: "", after: role.name() };
    record_audit_entry(connection, &audit_entry).await
}
