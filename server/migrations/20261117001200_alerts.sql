-- Messages to people besides the emails of an account: web push, and alerts of the staff about orders (decision 073).

CREATE TABLE push_subscriptions (
    id              uuid PRIMARY KEY,
    account_kind    text NOT NULL CONSTRAINT push_subscriptions_kind CHECK (account_kind IN ('shopper', 'seller')),
    person          uuid NOT NULL,
    -- The address at the browser's push service, a secret.
    endpoint        text NOT NULL,
    p256dh          text NOT NULL,
    auth            text NOT NULL,
    -- Such as 'Chrome on Android'; empty if unknown.
    device          text NOT NULL,
    created_at      timestamptz NOT NULL,
    last_success_at timestamptz
);
-- A browser has one address for the whole shop, so a shopper and a member of staff may share it.
CREATE UNIQUE INDEX push_subscriptions_endpoint ON push_subscriptions (endpoint, account_kind);
CREATE INDEX push_subscriptions_person ON push_subscriptions (account_kind, person);

-- The channels that a person has chosen for a kind of message; without a row the defaults count.
CREATE TABLE alert_preferences (
    account_kind      text NOT NULL CONSTRAINT alert_preferences_account CHECK (account_kind IN ('shopper', 'seller')),
    person            uuid NOT NULL,
    kind              text NOT NULL CONSTRAINT alert_preferences_kind CHECK (kind IN ('new_order', 'order_updates', 'back_in_stock')),
    push              boolean NOT NULL,
    email             boolean NOT NULL,
    sms               boolean NOT NULL,
    -- Where text messages to a member of staff go; empty for shoppers.
    phone             text NOT NULL DEFAULT '',
    -- Turns the emails of this kind off, without a login (RFC 8058).
    unsubscribe_token uuid NOT NULL,
    PRIMARY KEY (account_kind, person, kind)
);
CREATE UNIQUE INDEX alert_preferences_token ON alert_preferences (unsubscribe_token);

-- One message to one person over one channel. It names no person besides the recipient, and is deleted after a month.
CREATE TABLE alert_deliveries (
    id           uuid PRIMARY KEY,
    -- What happened, such as 'order_placed:' and the order's id.
    event        text NOT NULL,
    account_kind text NOT NULL CONSTRAINT alert_deliveries_account CHECK (account_kind IN ('shopper', 'seller')),
    person       uuid NOT NULL,
    channel      text NOT NULL CONSTRAINT alert_deliveries_channel CHECK (channel IN ('push', 'email', 'sms')),
    -- The subscription of a push message; the nil id for the other channels.
    subscription uuid NOT NULL,
    alert        jsonb NOT NULL,
    state        text NOT NULL DEFAULT 'waiting'
        CONSTRAINT alert_deliveries_state CHECK (state IN ('waiting', 'sent', 'dropped', 'failed')),
    -- Why the last attempt failed, or why the message was dropped.
    problem      text NOT NULL DEFAULT '',
    -- The push service does not want another attempt before.
    retry_at     timestamptz,
    created_at   timestamptz NOT NULL,
    updated_at   timestamptz NOT NULL,
    -- However often the fan-out runs, nobody is told twice.
    CONSTRAINT alert_deliveries_once UNIQUE (event, account_kind, person, channel, subscription)
);
CREATE INDEX alert_deliveries_failed ON alert_deliveries (updated_at DESC, id DESC) WHERE state = 'failed';
CREATE INDEX alert_deliveries_age ON alert_deliveries (created_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON push_subscriptions, alert_preferences, alert_deliveries TO thunse_app;
