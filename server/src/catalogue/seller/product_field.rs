//! The fields of a product in a form or in a row of a spreadsheet, before they are parsed.

use std::collections::BTreeMap;

use crate::platform::messages::Message;

/// The fields of a product, in the order of the spreadsheet's columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProductField {
    Slug,
    Name,
    NameNe,
    Category,
    Description,
    DescriptionNe,
    Price,
    Stock,
    StockWas,
    Rating,
    Reviews,
    Tags,
    TagsNe,
    Aliases,
    UnitAmount,
    UnitMeasure,
    UnitLabel,
    UnitLabelNe,
    TaxClass,
    Barcode,
    SoldByWeight,
    /// The name of a file beside the spreadsheet.
    Image,
    /// Names of such files.
    MoreImages,
    Version,
}

impl ProductField {
    pub const ALL: [Self; 24] = [
        Self::Slug,
        Self::Name,
        Self::NameNe,
        Self::Category,
        Self::Description,
        Self::DescriptionNe,
        Self::Price,
        Self::Stock,
        Self::StockWas,
        Self::Rating,
        Self::Reviews,
        Self::Tags,
        Self::TagsNe,
        Self::Aliases,
        Self::UnitAmount,
        Self::UnitMeasure,
        Self::UnitLabel,
        Self::UnitLabelNe,
        Self::TaxClass,
        Self::Barcode,
        Self::SoldByWeight,
        Self::Image,
        Self::MoreImages,
        Self::Version,
    ];

    pub const fn column(self) -> &'static str {
        match self {
            Self::Slug => "slug",
            Self::Name => "name",
            Self::NameNe => "name_ne",
            Self::Category => "category",
            Self::Description => "description",
            Self::DescriptionNe => "description_ne",
            Self::Price => "price",
            Self::Stock => "stock",
            Self::StockWas => "stock_was",
            Self::Rating => "rating",
            Self::Reviews => "reviews",
            Self::Tags => "tags",
            Self::TagsNe => "tags_ne",
            Self::Aliases => "aliases",
            Self::UnitAmount => "unit_amount",
            Self::UnitMeasure => "unit_measure",
            Self::UnitLabel => "unit_label",
            Self::UnitLabelNe => "unit_label_ne",
            Self::TaxClass => "tax_class",
            Self::Barcode => "barcode",
            Self::SoldByWeight => "sold_by_weight",
            Self::Image => "image",
            Self::MoreImages => "more_images",
            Self::Version => "version",
        }
    }

    /// The name of the field in the contract's forms.
    pub const fn form_name(self) -> &'static str {
        match self {
            Self::NameNe => "nameNe",
            Self::DescriptionNe => "descriptionNe",
            Self::StockWas => "stockWas",
            Self::TagsNe => "tagsNe",
            Self::UnitAmount => "unitAmount",
            Self::UnitMeasure => "unitMeasure",
            Self::UnitLabel => "unitLabel",
            Self::UnitLabelNe => "unitLabelNe",
            Self::TaxClass => "taxClass",
            Self::SoldByWeight => "soldByWeight",
            Self::MoreImages => "moreImages",
            other => other.column(),
        }
    }
}

/// The raw text of each field; an absent field is not changed.
#[derive(Debug, Clone, Default)]
pub struct RawProduct {
    fields: BTreeMap<ProductField, String>,
}

impl RawProduct {
    pub fn set(&mut self, field: ProductField, text: &str) {
        self.fields.insert(field, text.trim().to_owned());
    }

    pub fn get(&self, field: ProductField) -> Option<&str> {
        self.fields.get(&field).map(String::as_str)
    }

    /// Returns the text of a field that is present and not empty.
    pub fn filled(&self, field: ProductField) -> Option<&str> {
        self.get(field).filter(|text| !text.is_empty())
    }
}

/// An invalid field, and a message that says what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    pub field: ProductField,
    pub message: Message,
}
