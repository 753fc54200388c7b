package identify

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"regexp/syntax"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/sdcdesk/sdcdesk/house/longtests" // fewer draws
)

// filled returns n distinct texts of a form.
func filled(n int, form func(i int) string) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = form(i)
	}
	return out
}

// Values of each kind are recognised, and similar values are not.
func TestRecognise(t *testing.T) {
	check := func(number string) string { // adds the key of a French identity number
		rest := 0
		for _, r := range number {
			rest = (rest*10 + int(r-'0')) % 97
		}
		return fmt.Sprintf("%s%02d", number, 97-rest)
	}
	for _, c := range []struct {
		want  string // "" for no kind
		value func(i int) string
	}{
		{"e-mail addresses", func(i int) string { return fmt.Sprintf("write to a%d@example.org, please", i) }},
		{"", func(i int) string { return fmt.Sprintf("%d @ home", i) }},
		{"telephone numbers", func(i int) string { return fmt.Sprintf("0664 12345%02d", i) }},
		{"telephone numbers", func(i int) string { return fmt.Sprintf("call +43 1 58801%02d.", i) }},
		{"telephone numbers", func(i int) string { return fmt.Sprintf("(212) 555-01%02d", i) }},
		{"", func(i int) string { return fmt.Sprintf("01/02/%d", 1950+i) }},
		{"", func(i int) string { return fmt.Sprintf("%02d:%02d:00", i%24, i) }},
		{"", func(i int) string { return fmt.Sprintf("%d-%d employees", 100*i, 100*i+99) }},
		{"account numbers", func(i int) string { return fmt.Sprintf("at6119043002345732%02d", i) }},
		{"", func(i int) string { return fmt.Sprintf("AT%02d", i) }},
		{"identity numbers", func(i int) string { return check(fmt.Sprintf("18412751234%02d", i)) }},
		{"identity numbers", dutch},
		{"", func(i int) string { return fmt.Sprint(100_000_000 + 7919*i) }},
		{"licence plates", func(i int) string { return fmt.Sprintf("W-%d2345A", i) }},
		{"addresses", func(i int) string { return fmt.Sprintf("Hauptstraße %d, 1010 Wien", i+1) }},
		{"addresses", func(i int) string { return fmt.Sprintf("%d Baker Street, London", i+1) }},
		{"addresses", func(i int) string { return fmt.Sprintf("12 rue de la Paix %d, Paris", i) }},
		{"addresses", func(i int) string { return fmt.Sprintf("Calle Mayor, %d", i+1) }},
		{"hash values", func(i int) string { return fmt.Sprintf("%032x", i*7919) }},
		{"network addresses", func(i int) string { return fmt.Sprintf("192.168.0.%d", i) }},
		{"web addresses of persons", func(i int) string { return fmt.Sprintf("https://example.org/in/somebody-%d", i) }},
		{"plus codes", func(i int) string {
			return fmt.Sprintf("8FWR6CM%c+%c7", "23456789CFGHJMPQRVWX"[i%20], "23456789CFGHJMPQRVWX"[i/20])
		}},
		{"coordinates", func(i int) string { return fmt.Sprintf("48.2%04d, 16.3%04d", i, 9999-i) }},
		{"names of firms", func(i int) string { return fmt.Sprintf("Firm %s GmbH", strings.Repeat("x", i+1)) }},
		{"", func(i int) string { return fmt.Sprintf("category %d", i) }},
		{"", func(i int) string { return fmt.Sprintf("F%d.%d", i, i%10) }},
	} {
		values := filled(60, c.value)
		kind, _ := Default().Recognise(values, true)
		if kind.Title != c.want {
			t.Errorf("%s: %q, want %q", values[0], kind.Title, c.want)
		}
	}
}

// dutch returns a number that passes the eleven test.
func dutch(i int) string {
	for number := 100_000_000 + 1_000_003*i; ; number++ {
		if text := fmt.Sprint(number); identity(text) == mayBe {
			return text
		}
	}
}

// Check digits of published numbers are accepted.
func TestCheckDigits(t *testing.T) {
	for text, want := range map[string]proof{
		"GB82 WEST 1234 5698 7654 32": isProven, "GB82 WEST 1234 5698 7654 33": mayBe, "GB82 WEST 1234 5698 7654": isNot,
		"DE89370400440532013000": isProven,
	} {
		if got := iban(text); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
	if luhnOf("79927398713") != mayBe || luhnOf("79927398714") != isNot {
		t.Error("Luhn's formula")
	}
	for text, want := range map[string]proof{
		"44051401359": mayBe, "44051401358": isNot, // PESEL
		"12345678Z": mayBe, "12345678A": isNot, // DNI
		"86095742719": mayBe, // German tax number
		"10000000146": mayBe, // Turkish number
	} {
		if got := identity(text); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}

// Variables with names of persons are recognised in many languages and spellings.
func TestNamesOfPersonsByHeader(t *testing.T) {
	headers := strings.Split("first_name,FirstName,FIRST NAME,Family name,Vor_Name,prénom,förnamn,nom_de_famille,jméno,příjmení,"+
		"vezetéknév,soyadı,имя,фамилия,όνομα,姓名,اسم,resp_name,head_of_household,uzvārds,pavardė,etternavn,sukunimi", ",")
	if file, err := os.Open(filepath.Join("..", "..", "..", "..", "shared", "cases", "planted", "hdr1.csv")); err == nil {
		defer file.Close()
		more, err := csv.NewReader(file).Read()
		if err != nil || len(more) != 77 {
			t.Fatal(len(more), err)
		}
		headers = append(headers, more...)
	}
	for _, header := range headers {
		if kind, _ := Default().Named(header); kind.Title != Persons {
			t.Errorf("%s: %q", header, kind.Title)
		}
	}
	for _, header := range []string{"region_name", "brand_name", "hhsize", "age", "income", "sex", "weight", "marital", "nameplate",
		"first_job", "patients_size"} {
		if kind, ok := Default().Named(header); ok && kind.Title == Persons {
			t.Errorf("%s is taken for a name", header)
		}
	}
}

// Texts are recognised as names of persons by their form, and with certainty by common names.
func TestNamesOfPersons(t *testing.T) {
	for _, c := range []struct {
		values      []string
		like, known bool
	}{
		{[]string{"Anna Huber", "Jan de Vries", "deVries", "O'Neill", "Kovács István"}, true, true},
		{[]string{"Corvale", "Arden", "Hollow Isles", "Farrow"}, true, false},
		{[]string{"San Jose", "Santa Maria", "San Pedro"}, true, false},
		{[]string{"farm", "not working", "services"}, false, false},
		{[]string{"Unit 1", "Unit 2"}, false, false},
	} {
		if like, known := Default().Names(c.values); like != c.like || known != c.known {
			t.Errorf("%q: %v, %v", c.values, like, known)
		}
	}
}

// Labels mention persons by an address, a number or a name; brand names do not count.
func TestMentions(t *testing.T) {
	for text, want := range map[string][2]bool{
		"asked by Mrs Miller": {true, true}, "ask Peter Novak": {false, true}, "tel +43 664 1234567": {true, true},
		"a@example.org": {true, true}, "hid 17 is the mayor, tel 0171 2345678": {true, true}, "tel. 0171/2345678.": {true, true},
		"rent to GB82 WEST 1234 5698 7654 32 is late": {true, true}, "GB82 WEST 1234 5698 7654 33": {false, false},
		"Fieldwork 2024-03-01 to 2024-05-31, 1,200 of 2,000": {false, false}, "see https://www.example.org/survey/codebook": {false, false}, "interview_Anna_Huber_Graz": {false, true}, "Dr Oetker products bought": {false, false},
		"Mr Proper": {false, false}, "Satisfaction with life": {false, false}, "San Maria Alta": {false, false},
	} {
		if surely, perhaps := Default().Mentions(text); surely != want[0] || perhaps != want[1] {
			t.Errorf("%s: %v, %v", text, surely, perhaps)
		}
	}
}

// Street addresses in notes may be those of an office; added patterns are found inside texts if they allow it.
func TestMentionsOfPlacesAndAdded(t *testing.T) {
	if !Default().MentionsPlace("returned to 12 Baker Street, London") || Default().MentionsPlace("returned to the street") {
		t.Error("street addresses")
	}
	if _, perhaps := Default().Mentions("returned to 12 Baker Street, London"); perhaps {
		t.Error("an address names a person")
	}
	ours, err := Default().Read(strings.NewReader(`{"identifier":"staff numbers","content":"\\bS\\d{6}\\b","inside":true,"least":5}`))
	if err != nil {
		t.Fatal(err)
	}
	if surely, _ := ours.Mentions("coded by S123456."); !surely {
		t.Error("what was added is not found inside texts")
	}
	if string(ours.Added()) == "" || len(Default().Added()) > 0 || !ours.RecogniseAdded(filled(30, func(i int) string { return fmt.Sprintf("S%06d", i) }), false) ||
		ours.RecogniseAdded(filled(30, func(i int) string { return fmt.Sprintf("a%d@example.org", i) }), true) {
		t.Error("what was added")
	}
	if _, err := Default().Read(strings.NewReader(strings.Repeat("#\n", 1<<19+1))); err == nil {
		t.Error("a file of any length is read")
	}
}

// Dates may contain names of months in many languages.
func TestDate(t *testing.T) {
	for text, want := range map[string]bool{"12 mars 1984": true, "9 août 1995": true, "March 12, 1984": true, "12. Jänner 2001": true,
		"3 de mayo de 1970": true, "5 марта 1990": true, "mars 1984": false, "12 apples 1984": false, "12 mars": false} {
		if got := Default().Date(text); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// Read adds names, contents and exceptions; an invalid pattern is an error that names the line.
func TestRead(t *testing.T) {
	p, err := Default().Read(strings.NewReader("# ours\n\n" +
		`{"identifier":"staff numbers","names":"dienstnr*","content":"^S\\d{6}$","share":80}` + "\n" + `{"except":"email_use q17*"}`))
	if err != nil {
		t.Fatal(err)
	}
	if kind, _ := p.Named("DienstNr"); kind.Title != "staff numbers" || kind.Finding != "direct-identifiers" {
		t.Errorf("%+v", kind)
	}
	if kind, _ := p.Recognise(filled(30, func(i int) string { return fmt.Sprintf("S%06d", i) }), false); kind.Title != "staff numbers" {
		t.Errorf("%+v", kind)
	}
	if !p.Harmless("Email_Use") || !p.Harmless("q17a") || p.Harmless("email") || Default().Harmless("email_use") {
		t.Error("exceptions")
	}
	for _, text := range []string{"{", `{"names":"x"}`, `{"identifier":"x"}`, `{"identifier":"x","content":"("}`, `{"what":1}`,
		`{"identifier":"x","names":"y","finding":"weights"}`, `{"identifier":"x","content":"y","check":"none"}`, `{"except_content":"("}`} {
		if _, err := Default().Read(strings.NewReader("\n" + text)); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Every text that matches a pattern contains the digits or spaces that the pattern requires, so skipping texts
// without them loses no match. The slowest patterns require one.
func TestMatchesHaveWhatIsRequired(t *testing.T) {
	asked := 0
	for _, r := range Default().recognisers {
		if r.digits || r.blanks {
			asked++
		}
		rapid.Check(t, func(t *rapid.T) {
			text := rapid.StringMatching(r.pattern.String()).Draw(t, "match")
			found := r.pattern.FindString(text) // "" if the drawn text does not end at a word boundary
			if found != "" && (r.digits && !strings.ContainsAny(found, "0123456789") || r.blanks && !strings.Contains(found, " ")) {
				t.Errorf("%s: %q has no digit or blank", r.Title, found)
			}
		})
	}
	if asked < 12 {
		t.Errorf("only %d of %d patterns ask for a digit or blank", asked, len(Default().recognisers))
	}
	for pattern, want := range map[string]bool{`\d+`: true, `\d*`: false, `a7b`: true, `a(\d|x)`: false, `a(?:\d|x3)`: true, `(?:\d?){2,}`: false,
		`(?:x\d){2,5}`: true, `(?:x\d){0,5}`: false, `[0-9a-f]`: false, `[3-5]`: true, `[^\D]`: true, `[٠-٩]`: false, ``: false, `(?i)K5`: true} {
		if tree, err := syntax.Parse(pattern, syntax.Perl); err != nil || requires(tree, '0', '9') != want {
			t.Errorf("%s requires a digit: %t, want %t (%v)", pattern, !want, want, err)
		}
	}
}
