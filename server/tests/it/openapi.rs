//! The committed `api/openapi.json` must equal the document that the code generates.

#[test]
fn the_committed_contract_is_the_codes_contract() {
    let code = thunse::app::openapi().to_pretty_json().unwrap();
    let committed = include_str!("../../../api/openapi.json");

    // A comparison with `assert_eq!` would print both documents, which have 500 KB.
    assert!(committed.trim_end() == code, "run `just gen` and commit api/openapi.json");
}
