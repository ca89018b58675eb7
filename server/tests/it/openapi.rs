//! `api/openapi.json` is what the code says.

#[test]
fn the_committed_contract_is_the_codes_contract() {
    let code = thunse::app::openapi().to_pretty_json().unwrap();
    let committed = include_str!("../../../api/openapi.json");

    // Without both documents in the message, which are 500 KB.
    assert!(committed.trim_end() == code, "run `just gen` and commit api/openapi.json");
}
