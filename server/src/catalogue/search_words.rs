//! How a word is compared when a shopper does not type the name exactly: Devanagari is written in Latin letters,
//! and the many ways to spell Nepali in Latin letters (chamal, chaamal, chamaal) fold to one.
//!
//! Folding is for comparing only; both sides go through it, so it may be rough as long as it is the same.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The folded words of a text, in order.
pub fn fold_words(text: &str) -> Vec<String> {
    text.nfc()
        .collect::<String>()
        .to_lowercase()
        .split(|c: char| !(c.is_alphanumeric() || is_combining_mark(c) || is_joiner(c)))
        .map(fold)
        .filter(|word| !word.is_empty())
        .collect()
}

/// Returns all words by which a product can be found.
pub fn index_words<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    texts.into_iter().flat_map(fold_words).collect::<BTreeSet<_>>().into_iter().collect()
}

/// A text in plain lower-case Latin letters and digits, words joined by '-': the readable part of a slug.
pub fn latin_slug(text: &str) -> String {
    let latin: String = text.nfc().collect::<String>().to_lowercase();
    latin
        .split(|c: char| !(c.is_alphanumeric() || is_combining_mark(c) || is_joiner(c)))
        .map(to_latin)
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join("-")
}

fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

fn fold(word: &str) -> String {
    let latin = to_latin(word);
    let mut folded = String::with_capacity(latin.len());
    let mut letters = latin.chars().peekable();
    while let Some(letter) = letters.next() {
        let next = letters.peek().copied();
        match (letter, next) {
            // Only the last of several is written.
            ('a', Some('a')) => {}
            ('e', Some('e')) => {
                letters.next();
                push_once(&mut folded, 'i');
            }
            ('o', Some('o')) => {
                letters.next();
                push_once(&mut folded, 'u');
            }
            // bh, chh, dh, gh, jh, kh, ph, sh, th: the 'h' is left out as often as it is written.
            ('h', _) if folded.ends_with(|before: char| !is_vowel(before)) => {}
            ('v' | 'w', _) => push_once(&mut folded, 'b'),
            ('z', _) => push_once(&mut folded, 'j'),
            ('f', _) => push_once(&mut folded, 'p'),
            ('q', _) => push_once(&mut folded, 'k'),
            ('y', _) => push_once(&mut folded, 'i'),
            _ => push_once(&mut folded, letter),
        }
    }
    folded
}

fn push_once(text: &mut String, letter: char) {
    if !text.ends_with(letter) || letter.is_ascii_digit() {
        text.push(letter);
    }
}

fn is_vowel(letter: char) -> bool {
    matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u')
}

/// Writes a lower-case word in Latin letters and digits: Devanagari by sound, accents dropped, everything else left
/// out.
fn to_latin(word: &str) -> String {
    let mut latin = String::with_capacity(word.len());
    // A consonant carries an 'a' until a vowel sign or the virama says otherwise.
    let mut carries_a = false;
    for c in word.chars() {
        if let Some(consonant) = consonant(c) {
            if carries_a {
                latin.push('a');
            }
            latin.push_str(consonant);
            carries_a = true;
        } else if let Some(sign) = vowel_sign(c) {
            latin.push_str(sign);
            carries_a = false;
        } else if c == '\u{94d}' {
            carries_a = false;
        } else if c == '\u{93c}' || is_joiner(c) {
            // A dot below or a joiner changes the shape, not the sound that people type.
        } else {
            if carries_a {
                latin.push('a');
                carries_a = false;
            }
            if let Some(vowel) = vowel(c) {
                latin.push_str(vowel);
            } else if let Some(digit) = c.to_digit(10).or_else(|| devanagari_digit(c)) {
                latin.push(char::from_digit(digit, 10).unwrap_or('0'));
            } else {
                latin.extend(c.nfd().filter(char::is_ascii_alphanumeric));
            }
        }
    }
    // Nepali words that end in a bare consonant are written without the last 'a': चामल is chamal. A word without any
    // other vowel keeps it.
    if carries_a && !latin.contains(is_vowel) {
        latin.push('a');
    }
    latin
}

fn devanagari_digit(c: char) -> Option<u32> {
    let value = u32::from(c);
    (0x966..=0x96f).contains(&value).then(|| value - 0x966)
}

fn consonant(c: char) -> Option<&'static str> {
    Some(match c {
        'क' => "k",
        'ख' => "kh",
        'ग' => "g",
        'घ' => "gh",
        'ङ' => "ng",
        'च' => "ch",
        'छ' => "chh",
        'ज' => "j",
        'झ' => "jh",
        'ञ' | 'न' | 'ण' => "n",
        'ट' | 'त' => "t",
        'ठ' | 'थ' => "th",
        'ड' | 'द' => "d",
        'ढ' | 'ध' => "dh",
        'प' => "p",
        'फ' => "ph",
        'ब' => "b",
        'भ' => "bh",
        'म' => "m",
        'य' => "y",
        'र' => "r",
        'ल' | 'ळ' => "l",
        'व' => "v",
        'श' | 'ष' => "sh",
        'स' => "s",
        'ह' => "h",
        _ => return None,
    })
}

fn vowel_sign(c: char) -> Option<&'static str> {
    Some(match c {
        'ा' => "a",
        'ि' | 'ी' => "i",
        'ु' | 'ू' => "u",
        'ृ' => "ri",
        'े' => "e",
        'ै' => "ai",
        'ो' | 'ॉ' => "o",
        'ौ' => "au",
        _ => return None,
    })
}

fn vowel(c: char) -> Option<&'static str> {
    Some(match c {
        'अ' | 'आ' => "a",
        'इ' | 'ई' => "i",
        'उ' | 'ऊ' => "u",
        'ऋ' => "ri",
        'ए' => "e",
        'ऐ' => "ai",
        'ओ' | 'ऑ' => "o",
        'औ' => "au",
        'ं' | 'ँ' => "n",
        'ः' => "",
        _ => return None,
    })
}

/// Counts the edits between two folded words: letters inserted, removed or replaced, or two neighbours swapped.
pub fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = Vec::with_capacity(b.len() + 1);
        row.push(i + 1);
        for (j, y) in b.iter().enumerate() {
            let at = |cells: &[usize], index: usize| cells.get(index).copied().unwrap_or(usize::MAX / 2);
            let mut best = (at(&last, j) + usize::from(x != y)).min(at(&last, j + 1) + 1).min(at(&row, j) + 1);
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(y) && b.get(j - 1) == Some(x);
            if swapped {
                best = best.min(at(&before_last, j - 1) + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(0)
}

/// Returns how many edits away a word of this length may be and still count as a typing error.
pub fn max_edits(word: &str) -> usize {
    match word.chars().count() {
        0..=3 => 0,
        4..=5 => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_word_fold_to_one() {
        for group in [
            &["chamal", "chaamal", "Chamaal", "चामल"][..],
            &["dudh", "doodh", "dudh", "दूध"],
            &["pyaj", "pyaaj", "piaj", "प्याज"],
            &["jeera", "jira", "zeera", "जीरा"],
            &["aalu", "alu", "aloo", "आलु"],
            &["ghiu", "ghee-u", "gheeu"],
            &["tel", "तेल"],
            &["besar", "बेसार"],
            &["khursani", "khursaani", "खुर्सानी"],
            &["chini", "cheenee", "चिनी"],
            &["nun", "noon", "नुन"],
        ] {
            let folded: BTreeSet<String> = group.iter().map(|text| fold_words(text).concat()).collect();
            assert_eq!(folded.len(), 1, "{group:?} gave {folded:?}");
        }
    }

    #[test]
    fn a_slug_of_a_nepali_name_is_never_empty() {
        assert_eq!(latin_slug("जुम्ली मार्सी चामल"), "jumli-marsi-chamal");
        assert_eq!(latin_slug("Café Mêlée 500 g"), "cafe-melee-500-g");
        assert_eq!(latin_slug("१ केजी"), "1-keji");
        assert_eq!(latin_slug("🍚"), "");
    }

    #[test]
    fn a_swap_is_one_edit() {
        assert_eq!(edit_distance("onoin", "onion"), 1);
        assert_eq!(edit_distance("mustrd", "mustard"), 1);
        assert_eq!(edit_distance("rice", "rice"), 0);
        assert_eq!(edit_distance("", "abc"), 3);
    }
}
