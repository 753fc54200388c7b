package identify

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// checks returns the checks of identifiers by name.
func checks() map[string]func(string) proof {
	return map[string]func(string) proof{"iban": iban, "luhn": luhnOf, "telephone": telephone, "identity": identity}
}

// ibanLengths lists the lengths of IBANs by country, from the ISO 13616 registry.
const ibanLengths = "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 " +
	"FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 " +
	"LY25 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 TN24 " +
	"TR26 UA29 VA22 VG24 XK20"

// iban checks an IBAN by the length for its country and by ISO 7064, MOD 97-10.
func iban(text string) proof {
	text = strings.ToUpper(strings.ReplaceAll(text, " ", ""))
	if ibanLength(text[:2]) != len(text) {
		return isNot
	}
	rest := 0
	for _, r := range text[4:] + text[:4] {
		if r >= 'A' {
			rest = (rest*100 + int(r-'A') + 10) % 97
		} else {
			rest = (rest*10 + int(r-'0')) % 97
		}
	}
	if rest != 1 {
		return mayBe
	}
	return isProven
}

// ibanLength returns the length of the IBANs of a country, or 0 if it has none.
func ibanLength(country string) int {
	at := strings.Index(ibanLengths, country)
	if at < 0 || at%5 != 0 {
		return 0
	}
	return int(ibanLengths[at+2]-'0')*10 + int(ibanLengths[at+3]-'0')
}

// ibanStart matches the beginning of an IBAN.
var ibanStart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b[A-Z]{2}\d{2} ?[A-Z0-9]`) })

// hasAccount reports whether a text contains an IBAN whose check digits are right.
func hasAccount(text string) bool {
	return slices.ContainsFunc(ibanStart().FindAllStringIndex(text, -1), func(at []int) bool {
		rest := strings.ReplaceAll(text[at[0]:], " ", "")
		length := ibanLength(rest[:2])
		return length > 0 && len(rest) >= length && ibanLetters().MatchString(rest[:length]) && iban(rest[:length]) == isProven
	})
}

// ibanLetters matches the characters of an IBAN.
var ibanLetters = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Z0-9]+$`) })

func digitsOf(text string) (digits []int) {
	for _, r := range text {
		if r >= '0' && r <= '9' {
			digits = append(digits, int(r-'0'))
		}
	}
	return digits
}

// telephone returns mayBe for a text with 9 to 15 digits: as many as a telephone number, and more than a date.
func telephone(text string) proof {
	if n := len(digitsOf(text)); n < 9 || n > 15 {
		return isNot
	}
	return mayBe
}

func luhnOf(text string) proof { return provenIf(luhn(digitsOf(text)), mayBe) }

func provenIf(ok bool, as proof) proof {
	if ok {
		return as
	}
	return isNot
}

// luhn reports whether the last digit is right by Luhn's formula, ISO/IEC 7812-1.
func luhn(digits []int) bool {
	sum := 0
	for i := range digits {
		digit := digits[len(digits)-1-i]
		if i%2 == 1 {
			digit *= 2
		}
		sum += digit/10 + digit%10
	}
	return sum%10 == 0
}

// numbering describes the check digit of a country's identity numbers: the weighted sum of the other digits modulo
// a number, or its complement.
type numbering struct {
	country    string
	weights    []int
	modulus    int
	missing    bool // the check digit is the complement
	ten        int  // check digit for a remainder of ten; -1 if such numbers are not issued
	day, month int  // positions of the day and month of birth; 0, 0 if none
}

// numberings returns the schemes of identity numbers that consist of digits only, as national laws define them.
func numberings() []numbering {
	return []numbering{
		{"Poland", []int{1, 3, 7, 9, 1, 3, 7, 9, 1, 3}, 10, true, 0, 4, 2},
		{"Bulgaria", []int{2, 4, 8, 5, 10, 9, 7, 3, 6}, 11, false, 0, 4, 2},
		{"Romania", []int{2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9}, 11, false, 1, 5, 3},
		{"Yugoslavia", []int{7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2}, 11, true, -1, 0, 2},
		{"Norway", []int{5, 4, 3, 2, 7, 6, 5, 4, 3, 2}, 11, true, -1, 0, 2},
		{"Estonia and Lithuania", []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 1}, 11, false, 0, 5, 3},
		{"the Netherlands", []int{9, 8, 7, 6, 5, 4, 3, 2}, 11, false, -1, 0, 0},
		{"Portugal", []int{9, 8, 7, 6, 5, 4, 3, 2}, 11, true, 0, 0, 0},
		{"Brazil", []int{11, 10, 9, 8, 7, 6, 5, 4, 3, 2}, 11, true, 0, 0, 0},
		{"Hungary", []int{3, 7, 3, 7, 3, 7, 3, 7}, 10, false, 0, 0, 0},
	}
}

func (n *numbering) has(digits []int) bool {
	if len(digits) != len(n.weights)+1 {
		return false
	}
	sum := 0
	for i, weight := range n.weights {
		sum += weight * digits[i]
	}
	rest := sum % n.modulus
	if n.missing {
		rest = (n.modulus - rest) % n.modulus
	}
	if rest == 10 {
		rest = n.ten
	}
	return rest == digits[len(n.weights)] && (n.day == n.month || n.born(digits))
}

// born reports whether the digits contain a valid day and month; some countries add 20 or 40 to the month.
func (n *numbering) born(digits []int) bool {
	day, month := 10*digits[n.day]+digits[n.day+1], 10*digits[n.month]+digits[n.month+1]
	return day >= 1 && day <= 31 && month%20 >= 1 && month%20 <= 12
}

// identity returns mayBe for an identity number, digits with at most one letter, whose check digit is right.
func identity(text string) proof {
	if last := text[len(text)-1]; last > '9' && len(text) == 9 {
		return provenIf(spanish(strings.ToUpper(text)), mayBe)
	}
	digits := digitsOf(text)
	for _, n := range numberings() {
		if n.has(digits) {
			return mayBe
		}
	}
	return provenIf(germanTax(digits) || swedish(digits) || turkish(digits) || austrian(digits) || french(digits) ||
		chinese(strings.ToUpper(text)), mayBe)
}

// spanish checks the letter of a DNI or NIE.
func spanish(text string) bool {
	number, digits := 0, strings.NewReplacer("X", "0", "Y", "1", "Z", "2").Replace(text[:1])+text[1:8]
	for _, r := range digits {
		number = 10*number + int(r-'0')
	}
	return "TRWAGMYFPDXBNJZSQVHLCKE"[number%23] == text[8]
}

// germanTax checks a tax number by ISO 7064, MOD 11,10.
func germanTax(digits []int) bool {
	if len(digits) != 11 || digits[0] == 0 {
		return false
	}
	product := 10
	for _, digit := range digits[:10] {
		sum := (digit + product) % 10
		if sum == 0 {
			sum = 10
		}
		product = 2 * sum % 11
	}
	return (11-product)%10 == digits[10]
}

// swedish checks a number with a date of birth and Luhn's formula.
func swedish(digits []int) bool {
	n := numbering{day: 4, month: 2}
	return len(digits) == 10 && n.born(digits) && luhn(digits)
}

func turkish(digits []int) bool {
	if len(digits) != 11 || digits[0] == 0 {
		return false
	}
	odd, even := digits[0]+digits[2]+digits[4]+digits[6]+digits[8], digits[1]+digits[3]+digits[5]+digits[7]
	return (7*odd-even+10*10)%10 == digits[9] && (odd+even+digits[9])%10 == digits[10]
}

// austrian checks a social insurance number: the fourth digit follows from the others, the last six of which are a
// date of birth.
func austrian(digits []int) bool {
	if n := (numbering{day: 4, month: 6}); len(digits) != 10 || !n.born(digits) {
		return false
	}
	sum := 0
	for i, weight := range []int{3, 7, 9, 0, 5, 8, 4, 2, 1, 6} {
		sum += weight * digits[i]
	}
	return sum%11 == digits[3]
}

// french reports whether a number without its key may be a social security number (NIR).
func french(digits []int) bool {
	return len(digits) == 13 && (digits[0] == 1 || digits[0] == 2) && digits[3] <= 1 && 10*digits[3]+digits[4] >= 1 &&
		10*digits[3]+digits[4] <= 12
}

// chinese checks a number by ISO 7064, MOD 11-2, and its date of birth.
func chinese(text string) bool {
	if len(text) != 18 {
		return false
	}
	if _, err := time.Parse("20060102", text[6:14]); err != nil {
		return false
	}
	sum := 0
	for i, weight := range []int{7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2} {
		sum += weight * int(text[i]-'0')
	}
	return "10X98765432"[sum%11] == text[17]
}
