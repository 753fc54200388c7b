package catalog_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// Explanations put numbers into a formula until the displayed figure comes out. Their arithmetic is repeated here:
// every line "… = a / b = c" must hold to the precision of its numbers.

// arithmetic evaluates an expression with + - × * / ^ ², parentheses, ln, exp, sqrt, and the hypergeometric
// function 2F1(a, b; c; q), computed by its series.
type arithmetic struct {
	text string
	err  error
}

var errNoArithmetic = errors.New("no arithmetic")

func evaluate(text string) (float64, error) {
	a := &arithmetic{text: strings.NewReplacer("²", "^2", "×", "*", "−", "-").Replace(text)}
	x := a.sum()
	if a.text = strings.TrimSpace(a.text); a.err == nil && a.text != "" {
		a.err = errNoArithmetic
	}
	return x, a.err
}

func (a *arithmetic) take(sign string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(a.text, " "), sign)
	if ok {
		a.text = rest
	}
	return ok
}

func (a *arithmetic) sum() float64 {
	x := 0.0
	if a.take("-") {
		x = -a.product()
	} else {
		x = a.product()
	}
	for a.err == nil {
		switch {
		case a.take("+"):
			x += a.product()
		case a.take("-"):
			x -= a.product()
		default:
			return x
		}
	}
	return x
}

func (a *arithmetic) product() float64 {
	x := a.power()
	for a.err == nil {
		switch {
		case a.take("*"):
			x *= a.power()
		case a.take("/"):
			x /= a.power()
		default:
			return x
		}
	}
	return x
}

func (a *arithmetic) power() float64 {
	x := a.value()
	for a.err == nil && a.take("^") {
		x = math.Pow(x, a.value())
	}
	return x
}

func (a *arithmetic) value() float64 {
	for name, f := range map[string]func(float64) float64{"ln": math.Log, "exp": math.Exp, "sqrt": math.Sqrt,
		"": func(x float64) float64 { return x }} {
		if a.take(name + "(") {
			x := a.sum()
			if !a.take(")") {
				a.err = errNoArithmetic
			}
			return f(x)
		}
	}
	if a.take("2F1(") {
		p := a.sum()
		a.take(",")
		q := a.sum()
		a.take(";")
		c := a.sum()
		a.take(";")
		z := a.sum()
		a.take(")")
		return hypergeometric(p, q, c, z)
	}
	return a.number()
}

// number parses digits with thousands separators, and a percent sign.
func (a *arithmetic) number() float64 {
	a.text = strings.TrimLeft(a.text, " ")
	end := 0
	for end < len(a.text) && (strings.IndexByte("0123456789.", a.text[end]) >= 0 ||
		a.text[end] == ',' && end+1 < len(a.text) && a.text[end+1] >= '0' && a.text[end+1] <= '9' ||
		a.text[end] == 'e' && end > 0 && end+1 < len(a.text) && strings.IndexByte("-+", a.text[end+1]) >= 0 ||
		strings.IndexByte("-+", a.text[end]) >= 0 && end > 0 && a.text[end-1] == 'e') {
		end++
	}
	x, err := strconv.ParseFloat(strings.ReplaceAll(a.text[:end], ",", ""), 64)
	if a.text = a.text[end:]; err != nil {
		a.err = errNoArithmetic
	}
	if a.take("%") {
		x /= 100
	}
	return x
}

func hypergeometric(a, b, c, z float64) float64 {
	sum, term := 1.0, 1.0
	for n := 0.0; n < 100_000 && math.Abs(term) > 1e-16*sum; n++ {
		term *= (a + n) * (b + n) / ((c + n) * (n + 1)) * z
		sum += term
	}
	return sum
}

// written returns the precision of a written number: half a unit of its last digit.
func written(text string) float64 {
	text = strings.TrimSpace(text)
	mantissa, percent := strings.CutSuffix(text, "%")
	mantissa, exponent, _ := strings.Cut(strings.TrimSpace(mantissa), "e")
	_, decimals, _ := strings.Cut(mantissa, ".")
	power, _ := strconv.Atoi(exponent)
	unit := 0.5 * math.Pow10(power-len(decimals))
	if percent {
		unit /= 100
	}
	return unit
}

// checkLine repeats the arithmetic of a line: of "a = b = c" that of b. It returns the result as written, or "" if
// the line is no calculation.
func checkLine(t *testing.T, what, line string) string {
	t.Helper()
	parts := strings.Split(line, " = ")
	if len(parts) < 2 {
		return strings.TrimPrefix(line, "= ")
	}
	result := parts[len(parts)-1]
	stated, err := evaluate(result)
	if err != nil {
		return ""
	}
	computed, err := evaluate(parts[len(parts)-2])
	if err != nil {
		return result // "f = 17"
	}
	if tolerance := 1.01*written(result) + 2e-5*math.Abs(stated); !(math.Abs(computed-stated) <= tolerance) {
		t.Errorf("%s: %q does not hold: %v", what, line, computed)
	}
	return result
}

// checkExplanation checks that all parts of an explanation are present, that its lines hold, and that one of them
// has the displayed figure.
func checkExplanation(t *testing.T, what string, e measure.Explanation, shown float64) {
	t.Helper()
	if e.Name == "" || e.Value == "" || e.Definition == "" || e.Formula == "" || e.Source == "" {
		t.Errorf("%s: the explanation lacks something: %+v", what, e)
	}
	came := false
	for _, line := range e.Here() {
		for _, part := range strings.Split(line, ",  ") {
			result := checkLine(t, what, part)
			if i := strings.LastIndex(result, ": "); i >= 0 {
				result = result[i+2:]
			}
			result, _, _ = strings.Cut(result, " of ")
			result, _, _ = strings.Cut(result, " record")
			if x, err := evaluate(result); err == nil && math.Abs(x-shown) <= 1.01*written(result)+2e-5*math.Abs(shown) {
				came = true
			}
		}
	}
	if !came && shown == shown {
		t.Errorf("%s: the shown figure %v does not come out of\n  %s", what, shown, strings.Join(e.Here(), "\n  "))
	}
}

// comesOut reports whether all figures of a measure result from their explanations: those displayed without being
// requested, and sums. For other figures, which are opened one by one, only the calculations must hold.
func comesOut(spec *measure.Spec) bool {
	return spec.Shown != 0 || slices.Contains([]string{"missing", "categories"}, spec.Name)
}

// openedOfRecords are the measures that are opened one by one and whose figures of records result from their
// explanations.
var openedOfRecords = []string{"suda", "ldiversity", "tcloseness"}

func comesOutOfRecords(spec *measure.Spec) bool {
	return comesOut(spec) || slices.Contains(openedOfRecords, spec.Name)
}

// workedFiles returns the files whose figures are explained, with the scenarios that show the formulas: with and
// without weights, households, missing values, the five rules.
func workedFiles(t *testing.T) map[string]*measure.Version {
	versions := map[string]*measure.Version{}
	for name, keys := range map[string][]string{"guide10": {"Residence", "Gender", "Educ", "Lstat"},
		"survey": {"region", "sex", "age", "educ", "marital"}} {
		text, err := os.ReadFile("../../testdata/" + name + ".csv")
		if err != nil {
			t.Fatal(err)
		}
		format := fileio.Guess(text)
		data, _, err := fileio.ReadBytes(context.Background(), name, text, format, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, rule := range microdata.Rules() {
			s := microdata.NewScenario()
			s.Keys, s.Rule, s.Alpha = keys, rule, 0.5
			s.Sensitive = map[string][]string{"guide10": {"Health"}, "survey": {"health", "hsize"}}[name]
			versions[name+" without weights, "+string(rule)] = measure.NewVersion(data, &s, nil)
			weighted := s.Clone()
			for _, suggestion := range microdata.Suggest(data) {
				if r := suggestion.Role; r == microdata.RoleWeight || r == microdata.RoleHousehold {
					weighted.Assign(suggestion.Variable, r)
				}
			}
			versions[name+", "+string(rule)] = measure.NewVersion(data, &weighted, nil)
		}
	}
	return versions
}

func TestWorkedExamplesComeOut(t *testing.T) {
	worked, opened := 0, map[string]bool{}
	for file, v := range workedFiles(t) {
		for _, spec := range catalog.Measures() {
			entry, err := spec.Compute(context.Background(), measure.Input{Original: v, Current: v}, spec.New(), nil)
			if err != nil {
				t.Fatal(err)
			}
			for i := range entry.Values.Numbers {
				n := &entry.Values.Numbers[i]
				e := entry.Explain(measure.FigureKey{Value: *n})
				switch {
				case !comesOut(&spec) && n.Part != "tau1" && n.Part != "tau2":
					for _, line := range e.Here() {
						checkLine(t, file+": "+spec.Name, line)
					}
				case e.Name != "" || !n.NextToSameK:
					opened[spec.Name] = true
					worked++
					checkExplanation(t, fmt.Sprintf("%s: %s %s %d", file, spec.Name, n.Name, n.K), e, n.Number)
				}
			}
			for c, column := range entry.Columns() {
				figure := entry.Values.Record(c)
				if figure == nil || !comesOutOfRecords(&spec) {
					continue
				}
				opened[spec.Name] = true
				for _, record := range []int{0, 2, 3, 6, 9} {
					worked++
					checkExplanation(t, fmt.Sprintf("%s: %s of record %d", file, column.Name, record+1),
						entry.Explain(measure.FigureKey{Column: column.Name, Record: record}), figure(record))
				}
			}
		}
	}
	for _, name := range append([]string{"model"}, openedOfRecords...) {
		if !opened[name] {
			t.Errorf("no figure of %s was worked out", name)
		}
	}
	if worked < 500 {
		t.Errorf("only %d figures were worked out", worked)
	}
}

// The arithmetic of these tests detects a wrong calculation.
func TestArithmetic(t *testing.T) {
	for text, want := range map[string]float64{"1 - (1 - 0.5) × (1 - .25)": 0.625, "2^3/4 + ln(exp(2))": 4,
		"ln(exp(-2))": -2, "1,200 / 5": 240, "25 %": 0.25, "3²": 9, "2F1(1, 1; 2; 0.5)": 2 * math.Ln2} {
		if got, err := evaluate(text); err != nil || math.Abs(got-want) > 1e-9 {
			t.Errorf("%s = %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "n", "3 records", "f = 2", "2 +"} {
		if x, err := evaluate(text); err == nil {
			t.Errorf("%q is %v", text, x)
		}
	}
	fails := &testing.T{}
	checkLine(fails, "", "r = 2/3 = .6668")
	if checkLine(t, "", "r = 2/3 = .6667") != ".6667" || !fails.Failed() {
		t.Error("a wrong calculation passes")
	}
}
