//! Imports of spreadsheets and their rows.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sqlx::types::Json;
use uuid::Uuid;

use crate::platform::ids::ProductId;
use crate::platform::messages::{Message, StoredMessage};

/// The state of an import, which is stored by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case", no_pg_array)]
pub enum ImportState {
    Checking,
    Checked,
    /// The file as a whole cannot be applied.
    Refused,
    Applying,
    Applied,
    /// It could not be checked or applied; nothing was written.
    Failed,
    Cancelled,
}

impl ImportState {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checking => "checking",
            Self::Checked => "checked",
            Self::Refused => "refused",
            Self::Applying => "applying",
            Self::Applied => "applied",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether nothing more happens to the import.
    pub const fn is_final(self) -> bool {
        match self {
            Self::Checking | Self::Checked | Self::Applying => false,
            Self::Refused | Self::Applied | Self::Failed | Self::Cancelled => true,
        }
    }
}

/// What a row does, which is stored by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case", no_pg_array)]
pub enum ImportRowKind {
    Add,
    Update,
    Same,
    Error,
}

impl ImportRowKind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Update => "update",
            Self::Same => "same",
            Self::Error => "error",
        }
    }
}

/// An import to be stored.
pub struct NewImport<'a> {
    pub id: Uuid,
    pub seller: Uuid,
    pub file_name: &'a str,
    pub file: &'a [u8],
    pub file_hash: &'a [u8],
    pub created_at: DateTime<Utc>,
}

/// An import that a seller uploaded.
pub struct ImportRecord {
    pub id: Uuid,
    pub seller: Uuid,
    pub file_name: String,
    pub state: ImportState,
    pub done: i32,
    pub total: i32,
    /// Why it was refused or failed.
    pub problem: Option<Json<StoredMessage>>,
    pub created_at: DateTime<Utc>,
    pub finished_at: Option<DateTime<Utc>>,
    pub adds: i32,
    pub updates: i32,
    pub unchanged: i32,
    pub errors: i32,
    /// The number of files beside the spreadsheet.
    pub pictures: i64,
}

/// A file beside the spreadsheet, to be stored.
pub struct NewImportPicture<'a> {
    pub name_key: &'a str,
    pub file_name: &'a str,
    pub content: Result<&'a [u8], Message>,
}

/// A file that was beside the spreadsheet.
pub struct ImportPicture {
    /// What the cells are compared with.
    pub name_key: String,
    pub file_name: String,
    /// Whether a row names it.
    pub is_used: bool,
    pub picture_key: Option<String>,
    /// Why it cannot be used.
    pub problem: Option<Json<StoredMessage>>,
}

/// One difference between two states of a product, as a spreadsheet shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellChange {
    pub column: String,
    pub before: String,
    pub after: String,
    /// The keys of the pictures that an import brings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<String>,
}

/// What is wrong with a cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellError {
    pub column: String,
    pub message: StoredMessage,
}

/// The product with which a row was compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ImportSnapshot {
    #[serde(rename = "product_id")]
    pub product: ProductId,
    #[serde(rename = "version_seen")]
    pub version: DateTime<Utc>,
    #[serde(rename = "stock_seen")]
    pub stock: i32,
}

/// What a row of a file would do, to be stored; serialized with the names of the columns.
#[derive(Debug, Serialize)]
pub struct NewImportRow {
    pub row: i32,
    pub kind: ImportRowKind,
    pub slug: String,
    pub name: String,
    pub changes: Vec<CellChange>,
    pub errors: Vec<CellError>,
    #[serde(flatten)]
    pub snapshot: Option<ImportSnapshot>,
}

/// A stored row, for the seller.
pub struct ImportRow {
    pub row: i32,
    pub slug: String,
    pub name: String,
    pub kind: ImportRowKind,
    pub changes: Json<Vec<CellChange>>,
    pub errors: Json<Vec<CellError>>,
}

/// What the check found out about a row.
pub struct CheckedRow {
    pub kind: ImportRowKind,
    pub snapshot: Option<ImportSnapshot>,
}
