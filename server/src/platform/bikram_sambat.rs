//! Formats dates and times. A Nepali text has the Bikram Sambat date, followed by the Gregorian one. The lengths of the
//! months are announced year by year, so they are in a table, which the web app reads as well (decision 036); outside
//! the table there is only the Gregorian date.

use std::sync::LazyLock;

use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, Utc};
use serde::Deserialize;

use super::clock;
use super::language::Language;
use super::messages::{Render, message};
use super::numerals::localize_digits;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Calendar {
    first_year: i32,
    first_day: NaiveDate,
    years: Vec<Vec<i64>>,
    months: Vec<String>,
}

static CALENDAR: LazyLock<Option<Calendar>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../../data/bikram-sambat.json")).ok());

/// The time of the day in Nepal: 14:05; १४:०५.
pub fn format_time(language: Language, at: DateTime<Utc>) -> String {
    localize_digits(language, &clock::to_nepal_time(at).format("%H:%M").to_string())
}

/// Formats a date, such as 15 Nov 2026 or २९ कात्तिक २०८३ (१५ नोभेम्बर २०२६).
pub fn format_date(language: Language, date: NaiveDate) -> String {
    let gregorian =
        message!("format.date", day = date.day(), month = date.month(), year = date.year()).render(language);
    match language {
        Language::English => gregorian,
        Language::Nepali => match bikram_sambat(date) {
            Some(own) => format!("{own} ({gregorian})"),
            None => gregorian,
        },
    }
}

/// Formats a moment in Nepal: 15 Nov 2026, 14:05.
pub fn format_date_time(language: Language, at: DateTime<Utc>) -> String {
    format!("{}, {}", format_date(language, clock::nepal_date(at)), format_time(language, at))
}

/// Formats a date and, if there are any, the hours of a delivery window: 15 Nov 2026, 07:00–09:00.
pub fn format_delivery_time(language: Language, date: NaiveDate, hours: Option<(NaiveTime, NaiveTime)>) -> String {
    let date = format_date(language, date);
    match hours {
        Some((starts, ends)) => {
            let hours = format!("{}–{}", starts.format("%H:%M"), ends.format("%H:%M"));
            format!("{date}, {}", localize_digits(language, &hours))
        }
        None => date,
    }
}

fn bikram_sambat(date: NaiveDate) -> Option<String> {
    let (year, month, day) = to_bikram_sambat(date)?;
    let name = CALENDAR.as_ref()?.months.get(month.checked_sub(1)?)?;
    Some(localize_digits(Language::Nepali, &format!("{day} {name} {year}")))
}

/// Returns the year, the month and the day, both counted from 1; `None` if the table does not contain the date.
pub fn to_bikram_sambat(date: NaiveDate) -> Option<(i32, usize, i64)> {
    let calendar = CALENDAR.as_ref()?;
    let mut left = date.signed_duration_since(calendar.first_day).num_days();
    if left < 0 {
        return None;
    }
    for (year, months) in (calendar.first_year..).zip(&calendar.years) {
        for (month, length) in (1..).zip(months) {
            if left < *length {
                return Some((year, month, left + 1));
            }
            left -= length;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(year: i32, month: u32, day: u32) -> String {
        format_date(Language::Nepali, NaiveDate::from_ymd_opt(year, month, day).unwrap())
    }

    #[test]
    fn the_time_of_the_day_is_that_of_nepal() {
        let at: DateTime<Utc> = "2026-11-16T18:20:59Z".parse().unwrap();
        assert_eq!(
            (format_time(Language::English, at), format_time(Language::Nepali, at)),
            ("00:05".to_owned(), "००:०५".to_owned())
        );
    }

    #[test]
    fn a_nepali_letter_dates_by_bikram_sambat_with_the_gregorian_day_beside_it() {
        assert_eq!(written(2024, 4, 13), "१ वैशाख २०८१ (१३ अप्रिल २०२४)");
        assert_eq!(written(2025, 4, 14), "१ वैशाख २०८२ (१४ अप्रिल २०२५)");
        assert_eq!(written(2026, 11, 15), "२९ कात्तिक २०८३ (१५ नोभेम्बर २०२६)");
        assert_eq!(written(2026, 11, 17), "१ मंसिर २०८३ (१७ नोभेम्बर २०२६)");
        assert_eq!(written(2027, 4, 13), "३० चैत २०८३ (१३ अप्रिल २०२७)");
    }

    #[test]
    fn a_year_that_is_not_in_the_table_is_gregorian_only() {
        assert_eq!(written(2027, 4, 14), "१४ अप्रिल २०२७");
        assert_eq!(written(2021, 4, 13), "१३ अप्रिल २०२१");
    }

    #[test]
    fn an_english_email_dates_as_the_shop_does() {
        assert_eq!(format_date(Language::English, NaiveDate::from_ymd_opt(2026, 9, 5).unwrap()), "5 Sept 2026");
    }
}
