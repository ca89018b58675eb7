//! All products as a CSV file that every spreadsheet program opens and an import reads.

use bytes::Bytes;
use futures_util::Stream;
use uuid::Uuid;

use crate::catalogue::error::CatalogueError;
use crate::catalogue::model::{Product, ProductDetails};
use crate::catalogue::seller::changes::to_cells;
use crate::catalogue::seller::product_field::ProductField;
use crate::catalogue::store;
use crate::platform::csv_format::{self, format_row};
use crate::platform::state::App;
use crate::staff::{self, NewAuditEntry};

/// The number of products that are read at a time.
const CHUNK: i64 = 500;

/// Records the export in the audit log and returns the file as a stream.
pub async fn export_products(
    app: App,
    seller: Uuid,
) -> Result<impl Stream<Item = sqlx::Result<Bytes>>, CatalogueError> {
    let mut connection = app.db.main.acquire().await?;
    let audit_entry = NewAuditEntry { seller, action: "products.export", object: "", about: "", before: "", after: "" };
    staff::record_audit_entry(&mut connection, &audit_entry).await?;
    drop(connection);
    let read = move |after| {
        let app = app.clone();
        async move { store::list_products_after(&app.db.main, after, CHUNK).await }
    };
    Ok(csv_format::stream_file(format_header(), 0, read, |product| product.position, format_product))
}

fn format_header() -> String {
    format_row(ProductField::ALL.map(ProductField::column))
}

fn format_product(product: &Product) -> String {
    let mut cells = to_cells(&ProductDetails::from_product(product), &product.category, product.stock);
    cells.push((ProductField::Slug, product.slug.clone()));
    cells.push((ProductField::StockWas, product.stock.to_string()));
    // A stored picture has no file name, and empty cells change no picture.
    cells.push((ProductField::Image, String::new()));
    cells.push((ProductField::MoreImages, String::new()));
    cells.push((ProductField::Version, product.version()));
    cells.sort_by_key(|(field, _)| *field);
    format_row(cells.iter().map(|(_, text)| text.as_str()))
}
