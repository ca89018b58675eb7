//! The handlers of the policy pages and of the about page, whose texts the first HTML contains: they can be read and
//! found without JavaScript.

use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use serde_json::json;

use super::pages::{PageQuery, respond};
use crate::catalogue::Envelope;
use crate::platform::api_error::ApiError;
use crate::platform::language::Language;
use crate::platform::messages;
use crate::platform::state::App;
use crate::policies::{self, PolicyKind};

/// A page with a policy's text.
struct PolicyRoute {
    kind: PolicyKind,
    path: &'static str,
    template: &'static str,
    module: &'static str,
    title: &'static str,
}

pub async fn about(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    let route = PolicyRoute {
        kind: PolicyKind::About,
        path: "/about",
        template: "about",
        module: "src/pages/storefront/about-page.tsx",
        title: "about.title",
    };
    policy_page(&app, &headers, route).await
}

pub async fn privacy(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    policy_page(&app, &headers, PolicyRoute::new(PolicyKind::Privacy, "/privacy", "policies.privacy")).await
}

pub async fn terms(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    policy_page(&app, &headers, PolicyRoute::new(PolicyKind::Terms, "/terms", "policies.terms")).await
}

pub async fn returns(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    policy_page(&app, &headers, PolicyRoute::new(PolicyKind::Returns, "/returns", "policies.returns")).await
}

pub async fn delivery(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    policy_page(&app, &headers, PolicyRoute::new(PolicyKind::Delivery, "/delivery-policy", "policies.delivery")).await
}

impl PolicyRoute {
    const fn new(kind: PolicyKind, path: &'static str, title: &'static str) -> Self {
        Self { kind, path, template: "policy", module: "src/pages/storefront/policy-page.tsx", title }
    }
}

async fn policy_page(app: &App, headers: &HeaderMap, route: PolicyRoute) -> Result<Response, ApiError> {
    respond(app, headers, route.path, PageQuery::default(), async |context| {
        let page = policies::load_page(context.app, route.kind).await?;
        let arguments = [("brand".into(), context.brand().into())].into();
        let title = messages::render_by_id(context.language, route.title, &arguments);
        let mut content = context.page_content(route.template, route.module, &title);
        content.canonical = Some(route.path.to_owned());
        let html = if context.language == Language::Nepali { &page.html_ne } else { &page.html };
        content.data = json!({ "title": title, "html": html });
        let request = format!("/api/policy/get_policy/{}", page.page);
        content.responses.insert(request, serde_json::to_value(Envelope { success: true, message: "", data: page })?);
        Ok(content)
    })
    .await
}
