//! The pages of bills against pictures of them. `UPDATE_GOLDEN=1` writes the pictures anew; look at them before you commit
//! them.

use std::path::PathBuf;

use thunse_pdf::{Document, Fact, Headings, Line, Paper, Sum, lay_out, write_pdf};
use typst_render::RenderOptions;

fn fact(label: &str, value: &str) -> Fact {
    Fact { label: label.to_owned(), value: value.to_owned() }
}

fn sum(label: &str, amount: &str, is_total: bool) -> Sum {
    Sum { label: label.to_owned(), amount: amount.to_owned(), is_total }
}

fn line(number: &str, item: &str, detail: &str, tax: &str, quantity: &str, price: &str, amount: &str) -> Line {
    let [number, item, detail, tax, quantity, price, amount] =
        [number, item, detail, tax, quantity, price, amount].map(str::to_owned);
    Line { number, item, detail, tax, quantity, price, amount }
}

fn english(lines: Vec<Line>) -> Document {
    Document {
        language: "en",
        number: "01-2083/84-000012".into(),
        title: "Tax invoice".into(),
        second_title: "कर बीजक".into(),
        copy: String::new(),
        seller: "Thunse".into(),
        seller_details: vec![
            "New Baneshwor, Kathmandu, Nepal".into(),
            "Phone +977 980-0000000".into(),
            "PAN/VAT no. 301234567".into(),
        ],
        facts: vec![
            fact("Number", "01-2083/84-000012"),
            fact("Date", "2083.08.02 BS (18 Nov 2026)"),
            fact("Fiscal year", "2083/84"),
            fact("Order", "TH-7K2M9Q"),
            fact("Payment", "Cash on delivery"),
        ],
        buyer_title: "Buyer".into(),
        buyer: vec![
            fact("Name", "Himal Traders"),
            fact("Address", "Mitra Marg, Ward 4, Kathmandu"),
            fact("Phone", "9801234567"),
            fact("PAN", "601234567"),
        ],
        headings: Headings {
            number: "No.".into(),
            item: "Item".into(),
            tax: "VAT".into(),
            quantity: "Qty".into(),
            price: "Rate (Rs.)".into(),
            amount: "Amount (Rs.)".into(),
        },
        lines,
        sums: vec![
            sum("Exempt goods", "25.00", false),
            sum("Taxable goods", "1000.00", false),
            sum("VAT 13%", "130.00", false),
            sum("Delivery", "20.00", false),
            sum("Total", "Rs. 1175.00", true),
        ],
        words: vec![
            fact("In words", "Rupees one thousand one hundred seventy-five only"),
            fact("अक्षरेपी", "एक हजार एक सय पचहत्तर रुपैयाँ मात्र"),
        ],
        notes: vec!["A full tax invoice is issued on request.".into()],
        page: "Page".into(),
    }
}

fn few() -> Vec<Line> {
    vec![
        line("1", "Basmati rice", "(5 kg sack)", "13%", "2", "500.00", "1000.00"),
        line("2", "Iodised salt", "(1 kg)", "Exempt", "1", "25.00", "25.00"),
    ]
}

/// Sixty lines; every seventh has a very long name.
fn sixty() -> Vec<Line> {
    let name = |number: i32| {
        match number % 7 {
        0 => "Cold-pressed mustard oil from the hills of Palpa, filtered twice, in a reusable glass bottle with a swing top"
            .to_owned(),
        _ => format!("Lentils, batch {number}"),
    }
    };
    (1..=60).map(|number| line(&number.to_string(), &name(number), "(1 kg)", "13%", "3", "185.00", "555.00")).collect()
}

fn nepali() -> Document {
    Document {
        language: "ne",
        title: "अर्डरको रसिद".into(),
        second_title: "Order receipt".into(),
        copy: "सक्कलको प्रतिलिपि नं. २".into(),
        number: "R-01-2083/84-000012".into(),
        seller: "थुन्से".into(),
        seller_details: vec!["नयाँ बानेश्वर, काठमाडौँ, नेपाल".into(), "प्यान/भ्याट नं. ३०१२३४५६७".into()],
        facts: vec![
            fact("नम्बर", "R-01-2083/84-000012"),
            fact("मिति", "२ मंसिर २०८३ (१८ नोभेम्बर २०२६)"),
            fact("आर्थिक वर्ष", "२०८३/८४"),
            fact("भुक्तानी", "सामान पाउँदा नगद"),
        ],
        buyer_title: "ग्राहक".into(),
        buyer: vec![fact("नाम", "आशा राई"), fact("ठेगाना", "मित्र मार्ग, काठमाडौँ")],
        headings: Headings {
            number: "क्र.सं.".into(),
            item: "विवरण".into(),
            tax: String::new(),
            quantity: "परिमाण".into(),
            price: "दर (रु.)".into(),
            amount: "रकम (रु.)".into(),
        },
        lines: vec![
            line("१", "मार्सी चामल", "(५ किलो)", "", "२", "५२५.००", "१०५०.००"),
            line("२", "क्षेत्रपाटीको ज्वानो र झ्याङ्ग्राको श्री ब्राण्ड", "(१०० ग्राम)", "", "१", "६५.००", "६५.००"),
            line("३", "Wai Wai चाउचाउ", "(३० प्याकेट)", "", "१", "६००.००", "६००.००"),
        ],
        sums: vec![sum("सामान", "१७१५.००", false), sum("जम्मा", "रु. १,२३,४५६.७०", true)],
        words: vec![
            fact("अक्षरेपी", "एक लाख तेइस हजार चार सय छपन्न रुपैयाँ सत्तरी पैसा मात्र"),
            fact("In words", "Rupees one lakh twenty-three thousand four hundred fifty-six and seventy paisa only"),
        ],
        notes: vec!["यो तपाईंको अर्डरको रसिद हो। यो कर बीजक वा कर प्रयोजनको बिल होइन।".into()],
        page: "पृष्ठ".into(),
    }
}

/// A credit note in Nepali for goods with a long name, of a shop that is registered for VAT.
fn credit_note() -> Document {
    let mut document = nepali();
    document.title = "क्रेडिट नोट".into();
    document.second_title = "Credit note".into();
    document.copy = String::new();
    document.number = "CN-01-2083/84-000003".into();
    document.facts = vec![
        fact("नम्बर", "CN-01-2083/84-000003"),
        fact("मिति", "३ मंसिर २०८३ (१९ नोभेम्बर २०२६)"),
        fact("आर्थिक वर्ष", "२०८३/८४"),
        fact("सच्याइएको बिल", "01-2083/84-000012"),
        fact("बिलको मिति", "२ मंसिर २०८३ (१८ नोभेम्बर २०२६)"),
        fact("कारण", "सामान बिग्रिएको हुनाले ग्राहकले फिर्ता गर्नुभयो र अर्को सामान चाहिएन भन्नुभयो"),
    ];
    document.headings.tax = "भ्याट".into();
    document.lines = vec![
        line(
            "१",
            "पाल्पाको पहाडबाट ल्याइएको, दुई पटक छानेको, फेरि प्रयोग गर्न मिल्ने सिसीमा राखिएको तोरीको तेल",
            "(१ लिटर)",
            "१३%",
            "१",
            "५००.००",
            "५००.००",
        ),
        line("२", "आयोडिनयुक्त नुन", "(१ किलो)", "छुट", "१", "२५.००", "२५.००"),
    ];
    document.sums = vec![
        sum("भ्याट नलाग्ने सामान", "२५.००", false),
        sum("भ्याट लाग्ने सामान", "५००.००", false),
        sum("भ्याट १३%", "६५.००", false),
        sum("जम्मा", "रु. ५९०.००", true),
    ];
    document.words = vec![fact("अक्षरेपी", "पाँच सय नब्बे रुपैयाँ मात्र"), fact("In words", "Rupees five hundred ninety only")];
    document.notes = Vec::new();
    document
}

/// Different processors may round a pixel's shade differently.
const SHADES: u8 = 48;
const MAX_DIFFERENT: f64 = 0.0005;

fn check_pages(name: &str, document: &Document, paper: Paper, pages: usize) {
    let laid_out = lay_out(document, paper).unwrap();
    assert_eq!(laid_out.pages().len(), pages, "{name}");
    for (page, number) in laid_out.pages().iter().zip(1..) {
        let picture = typst_render::render(page, &RenderOptions::default());
        let (width, height) = (picture.width(), picture.height());
        let grey: Vec<u8> = picture.pixels().iter().map(|pixel| pixel.green()).collect();
        let drawn = image::GrayImage::from_raw(width, height, grey).unwrap();
        // From the package's folder, in which cargo starts tests: CI may have compiled this in a checkout that is gone.
        let file = PathBuf::from(format!("tests/golden/{name}-{number}.png"));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            drawn.save(&file).unwrap();
        }
        let golden = image::open(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display())).into_luma8();
        assert_eq!(golden.dimensions(), drawn.dimensions(), "{name}, page {number}");
        let different = golden.pixels().zip(drawn.pixels()).filter(|(a, b)| a.0[0].abs_diff(b.0[0]) > SHADES).count();
        let share = f64::from(u32::try_from(different).unwrap()) / f64::from(width * height);
        assert!(share <= MAX_DIFFERENT, "{name}, page {number}: {different} pixels differ");
    }
}

#[test]
fn a_tax_invoice_in_english_is_one_page() {
    check_pages("tax-invoice-en", &english(few()), Paper::A4, 1);
}

#[test]
fn a_receipt_in_nepali_is_shaped_right_and_says_that_it_is_a_copy() {
    check_pages("receipt-ne", &nepali(), Paper::A4, 1);
}

#[test]
fn sixty_lines_are_two_pages_with_the_headings_on_both() {
    check_pages("sixty-lines-en", &english(sixty()), Paper::A4, 2);
}

#[test]
fn a_credit_note_names_the_bill_and_the_reason() {
    check_pages("credit-note-ne", &credit_note(), Paper::A4, 1);
    check_pages("credit-note-roll-ne", &credit_note(), Paper::Roll, 1);
}

#[test]
fn a_roll_of_eighty_millimetres_is_one_long_page() {
    check_pages("roll-ne", &nepali(), Paper::Roll, 1);
    check_pages("roll-en", &english(few()), Paper::Roll, 1);
}

#[test]
fn what_people_type_is_text_and_never_markup() {
    let typed = "#panic() *bold* $x$ @ref <a> \\ #import \"/etc/passwd\" ${data}";
    let mut document = english(few());
    document.buyer = vec![fact("Name", typed)];
    document.lines[0].item = typed.into();

    assert!(write_pdf(&document, Paper::A4).unwrap().starts_with(b"%PDF-"));
    assert_eq!(lay_out(&document, Paper::A4).unwrap().pages().len(), 1);
}

#[test]
fn the_same_document_is_the_same_file() {
    let document = nepali();
    assert_eq!(write_pdf(&document, Paper::A4).unwrap(), write_pdf(&document, Paper::A4).unwrap());
}
