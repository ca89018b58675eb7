//! The checks of a requested order that need no database.

use std::time::Duration;

use uuid::Uuid;

use super::error::OrderError;
use super::model::{IdempotencyKey, IfUnavailable, OrderRequest};
use crate::addresses;
use crate::cart::MAX_QUANTITY;
use crate::platform::ids::{ProductId, UserId};
use crate::platform::money::Paisa;
use crate::platform::{contact, hex};

const MAX_KEY_LENGTH: usize = 200;
const MAX_TEXT_LENGTH: usize = 600;
const MAX_NOTE_LENGTH: usize = 300;
/// Without a key, an identical order within this time counts as a repeated request.
const SAME_ORDER_WINDOW: Duration = Duration::from_secs(10);
const GENERATED_KEY_PREFIX: &str = "auto:";

/// A request that has passed all checks that need no database.
pub struct CheckedRequest {
    /// In the order of the request, each product once.
    pub lines: Vec<(ProductId, i32)>,
    /// What the shopper chose for single products.
    pub line_choices: Vec<(ProductId, IfUnavailable)>,
    pub if_unavailable: Option<IfUnavailable>,
    pub note_shop: String,
    pub note_rider: String,
    pub displayed_total: Paisa,
    pub address: String,
    pub address_id: Option<Uuid>,
    pub recipient: String,
    pub email: String,
    pub phone: String,
}

/// Checks everything that needs no database.
pub fn check_request(request: &OrderRequest, most_lines: u32) -> Result<CheckedRequest, OrderError> {
    let invalid = || OrderError::ItemsInvalid(most_lines);
    if request.named_method != request.method.name() {
        return Err(OrderError::MethodInvalid);
    }
    // One product on two lines is one line: each alone might be in stock.
    let mut lines: Vec<(ProductId, i32)> = Vec::new();
    let mut line_choices = Vec::new();
    for item in &request.items {
        let id: ProductId = item.product.parse().map_err(|_| invalid())?;
        let quantity = i32::try_from(item.quantity).ok().filter(|quantity| (1..=MAX_QUANTITY).contains(quantity));
        let quantity = quantity.ok_or_else(invalid)?;
        match lines.iter_mut().find(|(known, _)| *known == id) {
            Some((_, sum)) => *sum += quantity,
            None => lines.push((id, quantity)),
        }
        line_choices.extend(check_choice(item.if_unavailable.as_deref())?.map(|choice| (id, choice)));
    }
    let too_many = u32::try_from(lines.len()).map_or(true, |count| count > most_lines);
    if lines.is_empty() || too_many || lines.iter().any(|(_, quantity)| *quantity > MAX_QUANTITY) {
        return Err(invalid());
    }
    let texts = [&request.address, &request.recipient, &request.email, &request.phone]
        .map(|text| contact::normalize_whitespace(text));
    if texts.iter().any(|text| text.chars().count() > MAX_TEXT_LENGTH) {
        return Err(OrderError::FieldTooLong);
    }
    let [address, recipient, email, phone] = texts;
    if contact::has_link(&address) || contact::has_link(&recipient) {
        return Err(OrderError::LinkInText);
    }
    // An invalid email address or phone number is replaced by the account's, like a missing one, so that it does not
    // block the order.
    let email = contact::parse_email(&email).unwrap_or_default();
    let phone = contact::parse_phone(&phone).unwrap_or_default();
    let address_id = match &request.address_id {
        Some(id) => Some(id.parse().map_err(|_| addresses::AddressError::NotFound)?),
        None => None,
    };
    if address.is_empty() && address_id.is_none() {
        return Err(OrderError::AddressRequired);
    }
    let displayed_total = Paisa::from_json(request.displayed_total).ok_or(OrderError::TotalInvalid)?;
    Ok(CheckedRequest {
        lines,
        line_choices,
        if_unavailable: check_choice(request.if_unavailable.as_deref())?,
        note_shop: check_note(&request.note_shop)?,
        note_rider: check_note(&request.note_rider)?,
        displayed_total,
        address,
        address_id,
        recipient,
        email,
        phone,
    })
}

fn check_choice(name: Option<&str>) -> Result<Option<IfUnavailable>, OrderError> {
    name.map(|name| IfUnavailable::from_name(name).ok_or(OrderError::ChoiceInvalid)).transpose()
}

/// Puts a note on one line, without control characters. Like an address it may contain no link, because sellers and
/// riders read it.
fn check_note(text: &str) -> Result<String, OrderError> {
    let note = contact::normalize_whitespace(text);
    if note.chars().count() > MAX_NOTE_LENGTH || note.chars().any(char::is_control) {
        return Err(OrderError::NoteInvalid(MAX_NOTE_LENGTH));
    }
    if contact::has_link(&note) {
        return Err(OrderError::LinkInText);
    }
    Ok(note)
}

/// Returns the key from the header, or one made from the hash of the request.
pub fn idempotency_key(user: UserId, header: Option<&str>, request_hash: &[u8]) -> Result<IdempotencyKey, OrderError> {
    match header {
        Some(text) => {
            let fine = !text.is_empty()
                && text.len() <= MAX_KEY_LENGTH
                && text.bytes().all(|byte| byte.is_ascii_graphic())
                && !text.starts_with(GENERATED_KEY_PREFIX);
            if !fine {
                return Err(OrderError::IdempotencyKeyInvalid);
            }
            Ok(IdempotencyKey { user, text: text.to_owned(), window: None })
        }
        None => Ok(IdempotencyKey {
            user,
            text: format!("{GENERATED_KEY_PREFIX}{}", hex::encode(request_hash.iter().copied())),
            window: Some(SAME_ORDER_WINDOW),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orders::model::RequestedItem;
    use crate::orders::transition::Method;
    use crate::platform::language::Language;

    fn request(items: &[(&str, i64)]) -> OrderRequest {
        OrderRequest {
            user: UserId(Uuid::nil()),
            key: None,
            hash: Vec::new(),
            items: items
                .iter()
                .map(|(product, quantity)| RequestedItem {
                    product: (*product).to_owned(),
                    quantity: *quantity,
                    if_unavailable: None,
                })
                .collect(),
            address: " Mitra  Marg ".to_owned(),
            address_id: None,
            displayed_total: 585.0,
            method: Method::Cod,
            named_method: "COD".to_owned(),
            recipient: "Asha".to_owned(),
            email: "asha@example.com".to_owned(),
            phone: "9801234567".to_owned(),
            language: Language::English,
            slot: None,
            note_shop: String::new(),
            note_rider: String::new(),
            if_unavailable: None,
            coupon: None,
            from: None,
            write_response: |_| Ok(String::new()),
        }
    }

    const RICE: &str = "019a0000-0000-7000-8000-000000000001";
    const OIL: &str = "019a0000-0000-7000-8000-000000000002";

    #[test]
    fn one_product_on_two_lines_is_one_line() {
        let checked = check_request(&request(&[(RICE, 2), (OIL, 1), (RICE, 3)]), 100).unwrap();

        assert_eq!(checked.lines.iter().map(|(_, quantity)| *quantity).collect::<Vec<_>>(), [5, 1]);
        assert_eq!(checked.address, "Mitra Marg");
    }

    #[test]
    fn quantities_that_make_no_sense_are_refused() {
        let odd: [&[(&str, i64)]; 7] = [
            &[],
            &[(RICE, 0)],
            &[(RICE, -1)],
            &[(RICE, 100)],
            &[(RICE, i64::MAX)],
            &[(RICE, 60), (RICE, 60)],
            &[("rice", 1)],
        ];
        for items in odd {
            assert!(matches!(check_request(&request(items), 100), Err(OrderError::ItemsInvalid(100))), "{items:?}");
        }
    }

    #[test]
    fn notes_are_short_plain_text_and_choices_are_known() {
        let with_note = |note: &str| OrderRequest { note_shop: note.to_owned(), ..request(&[(RICE, 1)]) };
        let checked = check_request(&with_note(" ring the\n bell "), 100).unwrap();
        assert_eq!((checked.note_shop.as_str(), checked.note_rider.as_str()), ("ring the bell", ""));
        assert!(check_request(&with_note(&"न".repeat(300)), 100).is_ok());
        for odd in ["न".repeat(301), "bell\u{7}".to_owned()] {
            assert!(matches!(check_request(&with_note(&odd), 100), Err(OrderError::NoteInvalid(300))), "{odd}");
        }
        assert!(matches!(check_request(&with_note("see x.com"), 100), Err(OrderError::LinkInText)));

        let mut order = request(&[(RICE, 1), (OIL, 2), (RICE, 1)]);
        order.if_unavailable = Some("call".to_owned());
        order.items[1].if_unavailable = Some("leave_out".to_owned());
        let checked = check_request(&order, 100).unwrap();
        assert_eq!(checked.if_unavailable, Some(IfUnavailable::Call));
        assert_eq!(checked.line_choices, [(OIL.parse().unwrap(), IfUnavailable::LeaveOut)]);
        order.items[0].if_unavailable = Some("burn".to_owned());
        assert!(matches!(check_request(&order, 100), Err(OrderError::ChoiceInvalid)));
    }

    #[test]
    fn a_key_is_plain_text_and_never_one_of_ours() {
        let user = UserId(Uuid::nil());
        for odd in ["", "auto:abc", "with space", "ä", &"k".repeat(201)] {
            assert!(matches!(idempotency_key(user, Some(odd), &[]), Err(OrderError::IdempotencyKeyInvalid)), "{odd}");
        }
        assert!(idempotency_key(user, Some("0f8fad5b-d9cb-469f-a165-70867728950e"), &[]).is_ok());
        assert_eq!(idempotency_key(user, None, &[1, 2]).unwrap().text, "auto:0102");
    }
}
