//! The table of roles, permissions and endpoints in `docs/permissions.md`, generated from the code.

use serde_json::Value;

use crate::app::openapi;
use crate::platform::permissions::{Access, Permission, Role};

const INTRODUCTION: &str = "\
# Permissions

What each role of the people who work in the shop may do. `thunse permissions` generates this file from
`server/src/platform/permissions.rs` and the API document; a test fails if it is out of date, and
another calls every endpoint in every role (`server/tests/it/permissions.rs`).

*code* means: only if the second factor was entered within the last ten minutes.
";

fn cell(access: Access) -> &'static str {
    match access {
        Access::Allowed => "yes",
        Access::WithSecondFactor => "code",
        Access::Denied => "",
    }
}

fn cells(permission: Permission) -> String {
    Role::ALL.map(|role| cell(permission.access(role))).join(" | ")
}

/// An endpoint for people who work in the shop.
pub struct StaffEndpoint {
    /// Method and path.
    pub name: String,
    pub permission: Option<Permission>,
}

/// Returns the endpoints that require a seller's session, with the permission that the API document names.
pub fn staff_endpoints() -> Vec<StaffEndpoint> {
    let document = serde_json::to_value(openapi()).unwrap_or_default();
    let mut found = Vec::new();
    for (path, item) in document.pointer("/paths").and_then(Value::as_object).into_iter().flatten() {
        for (method, operation) in item.as_object().into_iter().flatten() {
            let scopes = operation.pointer("/security/0/seller").and_then(Value::as_array);
            let Some(scopes) = scopes else { continue };
            let permission = match scopes.as_slice() {
                [Value::String(scope)] => Permission::from_name(scope),
                _ => None,
            };
            found.push(StaffEndpoint { name: format!("{} {path}", method.to_uppercase()), permission });
        }
    }
    found
}

pub fn render() -> String {
    let roles =
        Permission::ALL.iter().map(|permission| format!("| `{}` | {} |", permission.name(), cells(*permission)));
    let endpoints = staff_endpoints().into_iter().filter_map(|endpoint| {
        let permission = endpoint.permission?;
        Some(format!("| `{}` | `{}` | {} |", endpoint.name, permission.name(), cells(permission)))
    });
    let lines: Vec<String> = [INTRODUCTION, "## Roles\n", "| Permission | Owner | Manager | Packer | Rider |"]
        .into_iter()
        .chain(["|---|---|---|---|---|"])
        .map(str::to_owned)
        .chain(roles)
        .chain(["\n## Endpoints\n", "| Endpoint | Permission | Owner | Manager | Packer | Rider |"].map(str::to_owned))
        .chain(["|---|---|---|---|---|---|".to_owned()])
        .chain(endpoints)
        .collect();
    lines.join("\n") + "\n"
}
