use std::time::Duration;

use super::*;
use crate::platform::push::PushKey;

fn vars(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

const MINIMUM: [(&str, &str); 3] = [
    ("DATABASE_URL", "postgres://127.0.0.1/shop"),
    ("PUBLIC_URL", "https://thunse.example"),
    ("MEDIA_DIR", "/srv/media"),
];

#[test]
fn three_settings_are_enough() {
    let config = Config::from_vars(vars(&MINIMUM)).unwrap();

    assert_eq!(config.shop.brand, "Thunse");
    assert_eq!(config.http.handler_timeout, Duration::from_secs(15));
}

#[test]
fn what_is_off_for_want_of_a_key_is_named() {
    let off = Config::from_vars(vars(&MINIMUM)).unwrap().disabled_features();
    assert!(off.iter().any(|line| line.contains("KHALTI_SECRET_KEY")), "{off:?}");
    for key in ["OPENID_CLIENT_ID", "VAPID_PRIVATE_KEY", "SMS_PROVIDER"] {
        assert!(off.iter().any(|line| line.contains(key)), "{off:?}");
    }

    let vapid = PushKey::generate().unwrap();
    let keys = [("KHALTI_SECRET_KEY", "k"), ("OPENID_CLIENT_ID", "c"), ("OPENID_CLIENT_SECRET", "s")];
    let push = [("VAPID_PRIVATE_KEY", vapid.as_str()), ("VAPID_SUBJECT", "mailto:owner@shop.example")];
    let sms = [("SMS_PROVIDER", "aakash"), ("SMS_TOKEN", "t")];
    let all: Vec<(&str, &str)> = MINIMUM.into_iter().chain(keys).chain(push).chain(sms).collect();
    assert_eq!(Config::from_vars(vars(&all)).unwrap().disabled_features(), Vec::<&str>::new());
}

#[test]
fn every_problem_is_reported_at_once() {
    let problems = Config::from_vars(vars(&[
        ("PUBLIC_URL", "thunse.example/shop"),
        ("LISTEN", "8080"),
        ("DATABASE_MAX_CONNECTIONS", "many"),
        ("SHOP_SOCIAL", "Facebook"),
    ]))
    .unwrap_err()
    .0;

    for name in ["PUBLIC_URL", "LISTEN", "DATABASE_MAX_CONNECTIONS", "SHOP_SOCIAL", "DATABASE_URL", "MEDIA_DIR"] {
        assert!(problems.iter().any(|problem| problem.contains(name)), "{name} is missing from {problems:?}");
    }
}

fn problems(setting: &str, value: &str) -> Vec<String> {
    let mut settings = vars(&MINIMUM);
    settings.extend(vars(&[("S3_BUCKET", "b"), ("S3_ACCESS_KEY", "k"), ("S3_SECRET_KEY", "s")]));
    settings.extend(vars(&[("OPENID_CLIENT_ID", "c"), ("OPENID_CLIENT_SECRET", "s"), ("KHALTI_SECRET_KEY", "s")]));
    settings.extend(vars(&[("MAIL_FROM", "shop@shop.example"), (setting, value)]));
    Config::from_vars(settings).map_or_else(|problems| problems.0, |_| Vec::new())
}

#[test]
fn what_leaves_the_machine_is_encrypted() {
    for (setting, value) in [
        ("DATABASE_URL", "postgres://u:p@db.example/shop"),
        ("DATABASE_URL", "postgres://u:p@db.example/shop?sslmode=require"),
        ("DATABASE_URL", "postgres://u:p@10.0.0.7:5432/shop?sslmode=verify-ca"),
        ("SMTP_URL", "smtp://u:p@mail.example:587"),
        ("S3_ENDPOINT", "http://s3.example:9000"),
        ("OPENID_ISSUER", "http://provider.example"),
        ("KHALTI_URL", "http://khalti.com"),
        ("KHALTI_URL", "http://127.0.0.1.evil.example"),
    ] {
        let problems = problems(setting, value);
        assert!(problems.len() == 1 && problems[0].contains(setting), "{setting}={value}: {problems:?}");
    }
    for (setting, value) in [
        ("DATABASE_URL", "postgres://u:p@db.example/shop?sslmode=verify-full"),
        ("DATABASE_URL", "postgres://u:p@127.0.0.1:5432/shop"),
        ("DATABASE_URL", "postgres://u:p@[::1]/shop"),
        ("DATABASE_URL", "postgres://u:p@localhost/shop?sslmode=disable"),
        ("DATABASE_URL", "postgres:///shop?host=/run/postgresql"),
        ("SMTP_URL", "smtps://u:p@mail.example"),
        ("SMTP_URL", "smtp://u:p@mail.example:587?tls=required"),
        ("SMTP_URL", "smtp://127.0.0.1:25"),
        ("S3_ENDPOINT", "http://127.0.0.1:9000"),
        ("S3_ENDPOINT", "https://s3.example"),
        ("OPENID_ISSUER", "http://localhost:8085"),
    ] {
        assert_eq!(problems(setting, value), Vec::<String>::new(), "{setting}={value}");
    }
}

#[test]
fn the_network_of_one_machines_containers_is_trusted_by_name() {
    let mut settings = vars(&MINIMUM);
    settings
        .extend(vars(&[("DATABASE_URL", "postgres://u:p@database:5432/shop"), ("DATABASE_TRUSTED_HOST", "database")]));
    assert!(Config::from_vars(settings.clone()).is_ok());

    settings.extend(vars(&[("DATABASE_URL", "postgres://u:p@elsewhere:5432/shop")]));
    assert!(Config::from_vars(settings).is_err());
}

#[test]
fn a_secret_may_be_a_file_that_systemd_hands_over() {
    let folder = std::env::temp_dir().join(format!("thunse-credentials-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("shop_DATABASE_URL"), "postgres://127.0.0.1/shop\n").unwrap();
    std::fs::write(folder.join("KHALTI_SECRET_KEY"), "key\n").unwrap();
    let settings = || vars(&[("PUBLIC_URL", "https://thunse.example"), ("MEDIA_DIR", "/srv/media")]);
    let mut env = EnvReader::new(settings());
    env.add_credentials(&folder);
    let config = Config::read(env).unwrap();

    // A setting in both places is refused, because either may be outdated.
    let mut twice = settings();
    twice.extend(vars(&[("KHALTI_SECRET_KEY", "old")]));
    let mut twice = EnvReader::new(twice);
    twice.add_credentials(&folder);
    let twice = Config::read(twice).unwrap_err();
    std::fs::remove_dir_all(&folder).unwrap();

    assert_eq!(config.database.url.reveal(), "postgres://127.0.0.1/shop");
    assert_eq!(config.khalti.unwrap().secret_key.reveal(), "key");
    assert!(twice.0.iter().any(|problem| problem.contains("KHALTI_SECRET_KEY is set twice")), "{twice:?}");
}

#[test]
fn a_new_shop_shows_nobodys_phone_or_address() {
    let shop = Config::from_vars(vars(&MINIMUM)).unwrap().shop;

    let Contact { phone, email, address, address_ne } = shop.contact;
    assert_eq!([phone, email, address, address_ne], ["", "", "", ""]);
    assert!(shop.social.is_empty());
}

#[test]
fn emails_have_a_sender() {
    assert!(problems("SMTP_URL", "smtp://127.0.0.1:25").is_empty());
    let mut settings = vars(&MINIMUM);
    settings.extend(vars(&[("SMTP_URL", "smtp://127.0.0.1:25")]));

    let problems = Config::from_vars(settings).unwrap_err().0;

    assert!(problems.iter().any(|problem| problem.contains("MAIL_FROM is not set")), "{problems:?}");
}

#[test]
fn push_and_sms_need_all_of_their_settings() {
    let key = PushKey::generate().unwrap();
    for (given, named) in [
        (vec![("VAPID_PRIVATE_KEY", "short"), ("VAPID_SUBJECT", "mailto:a@b.example")], "VAPID_PRIVATE_KEY"),
        (vec![("VAPID_PRIVATE_KEY", key.as_str())], "VAPID_SUBJECT"),
        (vec![("VAPID_PRIVATE_KEY", key.as_str()), ("VAPID_SUBJECT", "owner@shop.example")], "VAPID_SUBJECT"),
        (
            vec![
                ("VAPID_PRIVATE_KEY", key.as_str()),
                ("VAPID_SUBJECT", "mailto:a@b.example"),
                ("PUSH_SERVICES", "http://10.0.0.7:80"),
            ],
            "PUSH_SERVICES",
        ),
        (vec![("SMS_PROVIDER", "pigeon")], "SMS_PROVIDER"),
        (vec![("SMS_PROVIDER", "sparrow"), ("SMS_TOKEN", "t")], "SMS_SENDER"),
        (vec![("SMS_PROVIDER", "aakash")], "SMS_TOKEN"),
        (vec![("SMS_PROVIDER", "aakash"), ("SMS_TOKEN", "t"), ("SMS_URL", "http://sms.example")], "SMS_URL"),
    ] {
        let mut settings = vars(&MINIMUM);
        settings.extend(vars(&given));
        let problems = Config::from_vars(settings).unwrap_err().0;
        assert!(problems.len() == 1 && problems[0].contains(named), "{given:?}: {problems:?}");
    }
}

#[test]
fn a_password_never_prints() {
    let config = Config::from_vars(vars(&MINIMUM)).unwrap();

    assert!(!format!("{config:?}").contains("postgres://"));
}
