//! Loading many products at once, for a large demo shop.

use std::fmt::Write;

use sqlx::PgConnection;

use crate::catalogue::model::CopiedProduct;

/// Lines sent to the database at a time.
const CHUNK: usize = 2_000;

/// The columns that [`write_line`] writes, in this order, in PostgreSQL's text format.
const COPY: &str = "COPY products (id, category_id, slug, name, name_ne, description, description_ne, aliases, tags, \
                    tags_ne, price_paisa, stock, rating_tenths, reviews, pack_milli, pack_measure, pack_label, pack_label_ne, \
                    picture_key, search_words) FROM STDIN";

/// Loads products by COPY and returns how many.
pub async fn copy_products(
    connection: &mut PgConnection,
    mut products: impl Iterator<Item = CopiedProduct>,
) -> sqlx::Result<u64> {
    let mut copy = connection.copy_in_raw(COPY).await?;
    loop {
        let mut lines = String::new();
        for product in products.by_ref().take(CHUNK) {
            write_line(&mut lines, &product);
        }
        if lines.is_empty() {
            return copy.finish().await;
        }
        copy.send(lines.as_bytes()).await?;
    }
}

/// Writes one product in PostgreSQL's text format.
fn write_line(lines: &mut String, product: &CopiedProduct) {
    let details = &product.details;
    let pack = details.pack.as_ref();
    let optional = |text: Option<&str>| text.map_or("\\N".to_owned(), escape);
    // Writing to a String does not fail.
    let _ = writeln!(
        lines,
        "{id}\t{category}\t{slug}\t{name}\t{name_ne}\t{description}\t{description_ne}\t{aliases}\t{tags}\t{tags_ne}\t\
         {price}\t{stock}\t{rating}\t{reviews}\t{milli}\t{measure}\t{label}\t{label_ne}\t{picture}\t{words}",
        id = product.id,
        category = details.category,
        slug = product.slug,
        name = escape(&details.name),
        name_ne = optional(details.name_ne.as_deref()),
        description = escape(&details.description),
        description_ne = optional(details.description_ne.as_deref()),
        aliases = format_array(&details.aliases),
        tags = format_array(&details.tags),
        tags_ne = format_array(&details.tags_ne),
        price = details.price.0,
        stock = product.stock,
        rating = details.rating_tenths,
        reviews = details.reviews,
        milli = optional(pack.map(|pack| pack.milli.to_string()).as_deref()),
        measure = optional(pack.map(|pack| pack.measure.as_str())),
        label = optional(pack.map(|pack| pack.label.as_str())),
        label_ne = optional(pack.and_then(|pack| pack.label_ne.as_deref())),
        picture = optional(details.picture_key.as_deref()),
        words = format_array(&product.search_words),
    );
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n")
}

fn format_array(items: &[String]) -> String {
    let quoted: Vec<String> =
        items.iter().map(|item| format!("\"{}\"", item.replace('\\', "\\\\").replace('"', "\\\""))).collect();
    escape(&format!("{{{}}}", quoted.join(",")))
}

/// Adds the first stock to the ledger for all products that have stock but no movement yet.
pub async fn insert_initial_movements(connection: &mut PgConnection) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "INSERT INTO stock_movements (product_id, delta, reason)
         SELECT p.id, p.stock, 'first stock' FROM products p
         WHERE p.stock <> 0 AND NOT EXISTS (SELECT FROM stock_movements m WHERE m.product_id = p.id)"
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected())
}
