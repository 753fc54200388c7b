package recode

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Units into which dates are recoded.
const (
	Days     = "days"
	Months   = "months"
	Quarters = "quarters"
	Years    = "years"
	Ages     = "ages"
	Weekdays = "weekdays"
)

// mostWidth is the maximum number of years of a category.
const mostWidth = 100

// isoDay is the layout of dates in parameters.
const isoDay = time.DateOnly

// Dates recodes dates: days become months, quarters, years, ages at a reference date, or weekdays. The earliest
// and the latest can be merged into one category each. It starts from the source values, so it replaces an earlier
// recode; suppressed cells stay suppressed.
type Dates struct {
	Variable  string // variable whose source values are dates in one format
	To        string // Days, Months, Quarters, Years, Ages or Weekdays
	Width     int    // years per category, for Years and Ages
	Reference string // date at which ages are computed, such as 2024-12-31
	Earliest  string // earlier dates are one category; or "" for none
	Latest    string // this and later dates are one category; or "" for none
}

// DatesSpec describes recode-dates for the catalog.
func DatesSpec() method.Spec {
	return method.Spec{
		Name:  "recode-dates",
		Title: "Recoding of dates",
		Help: "Makes dates coarser: days become months, quarters, years, bands of years, weekdays, or ages in completed " +
			"years on a reference date. Early and late dates can form one category each: \"before 1940-01-01\", \"from " +
			"2005-01-01\". Bands start at multiples of their width. A date after the reference date has no age and " +
			"becomes missing. The recode starts from the original values and replaces an earlier recode of dates.",
		Cite:    "Hundepool et al. (2012), Statistical Disclosure Control, section 3.4",
		Key:     "r",
		Sample:  `{"variable":"birth","to":"years","width":5}`,
		New:     method.From(Dates{To: Years, Width: 1}),
		Propose: method.With((*Dates).propose),
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Dates) Params() []method.Param {
	return []method.Param{
		variableParam(&m.Variable).Among(method.DateVariables),
		method.Choice(&m.To, "to", "unit of the new categories", Months, Quarters, Years, Ages, Weekdays, Days),
		method.Number(&m.Width, "width", "years and ages: width of a category in years").Between(1, mostWidth).
			CountsIf(func() bool { return m.To == Years || m.To == Ages }),
		method.Text(&m.Reference, "reference", "ages: the reference date, such as 2024-12-31").
			CountsIf(func() bool { return m.To == Ages }),
		method.Text(&m.Earliest, "earliest", "earlier dates become one category").Empty("none").
			CountsIf(func() bool { return m.To != Weekdays }),
		method.Text(&m.Latest, "latest", "this date and later dates become one category").Empty("none").
			CountsIf(func() bool { return m.To != Weekdays }),
	}
}

// propose sets the reference to the last day of the year of the latest date.
func (m *Dates) propose(in method.Input) string {
	column, ok := in.Data.Column(m.Variable)
	if !ok || m.Reference != "" {
		return ""
	}
	days, ok := column.Unrecoded().Categories().Days()
	if !ok {
		return fmt.Sprintf("Not all values of %s are dates in one format. Choose a date variable.", m.Variable)
	}
	m.Reference = strconv.Itoa(dateOf(slices.Max(days)).Year()) + "-12-31"
	return ""
}

// dateOf converts a number of days since 1970 to a date.
func dateOf(day float64) time.Time { return time.Unix(int64(math.Floor(day))*24*60*60, 0).UTC() }

// day parses the date of a parameter, or returns none if the text is empty.
func day(param, text string, none float64) (float64, error) {
	if text == "" {
		return none, nil
	}
	date, err := time.Parse(isoDay, text)
	if err != nil {
		return 0, method.ParamError("%q must be a day such as 2024-12-31", param)
	}
	return float64(date.Unix()) / (24 * 60 * 60), nil
}

// Regroup returns the mapping of days to periods.
func (m *Dates) Regroup(in method.Input, target *microdata.Column) (r method.Regrouping, err error) {
	earliest, err := day("earliest", m.Earliest, math.Inf(-1))
	if err != nil {
		return r, err
	}
	latest, err := day("latest", m.Latest, math.Inf(1))
	if err != nil {
		return r, err
	}
	reference, err := day("reference", m.Reference, math.NaN())
	switch {
	case err != nil:
		return r, err
	case m.To == Ages && math.IsNaN(reference):
		return r, method.ParamError("\"reference\": ages need the day on which they are counted, such as 2024-12-31")
	case earliest >= latest:
		return r, method.ParamError("\"latest\" must be after \"earliest\"")
	}
	from := target.Unrecoded()
	days, ok := from.Categories().Days()
	if !ok {
		return r, fmt.Errorf("recode-dates %w: not all values of %q are dates in one format", method.ErrInput, m.Variable)
	}
	after := make([]microdata.Level, len(days))
	for i, day := range days {
		after[i].Value = math.NaN() // a year is a category label
		switch {
		case m.To == Weekdays:
			after[i].Label = dateOf(day).Weekday().String()
		case day < earliest:
			after[i].Label = "before " + m.Earliest
		case day >= latest:
			after[i].Label = "from " + m.Latest
		case m.To == Days:
			after[i].Label = from.Categories().Levels[i].Label
		default:
			after[i].Label = m.period(dateOf(day), dateOf(reference))
		}
	}
	r = mapped(target, from, after, m.inOrder(after)...)
	r.Title, r.Lost = fmt.Sprintf("dates %s: %s", m.Variable, m.what()), "are after the reference date"
	return r, nil
}

// inOrder returns the levels in the order of weekdays or ages, or nil for the order of the days.
func (m *Dates) inOrder(after []microdata.Level) (levels []microdata.Level) {
	switch m.To {
	case Weekdays:
		for i := range 7 {
			levels = append(levels, microdata.Level{Label: time.Weekday((i + 1) % 7).String(), Value: math.NaN()})
		}
	case Ages: // the latest days are the lowest ages
		for i := range after {
			if level := after[len(after)-1-i]; level.Label != "" {
				levels = append(levels, level)
			}
		}
	}
	return levels
}

// period returns the label of the period of a day, or "" for missing.
func (m *Dates) period(date, reference time.Time) string {
	switch m.To {
	case Months:
		return date.Format("2006-01")
	case Quarters:
		return fmt.Sprintf("%d-Q%d", date.Year(), (int(date.Month())+2)/3)
	case Ages:
		age := reference.Year() - date.Year()
		if birthday := date.AddDate(age, 0, 0); birthday.After(reference) {
			age--
		}
		if date.After(reference) {
			return ""
		}
		return m.band(age)
	}
	return m.band(date.Year())
}

// band returns the label of the band that contains a year.
func (m *Dates) band(year int) string {
	first := int(math.Floor(float64(year)/float64(m.Width))) * m.Width
	return spanLabel(microdata.Span{First: strconv.Itoa(first), Last: strconv.Itoa(first + m.Width - 1)})
}

// what describes the periods in words.
func (m *Dates) what() string {
	text := m.To
	switch {
	case m.To == Ages && m.Width > 1:
		text = fmt.Sprintf("ages on %s in bands of %d years", m.Reference, m.Width)
	case m.To == Ages:
		text = "ages on " + m.Reference
	case m.To == Years && m.Width > 1:
		text = fmt.Sprintf("bands of %d years", m.Width)
	}
	if m.Earliest != "" && m.To != Weekdays {
		text += ", before " + m.Earliest + " together"
	}
	if m.Latest != "" && m.To != Weekdays {
		text += ", from " + m.Latest + " together"
	}
	return text
}

// Narrate states what the dates became, without figures.
func (m *Dates) Narrate(*method.Report) string {
	text := "The dates of " + m.Variable + " were recoded into " + m.To + "."
	if m.To == Days {
		text = "The earliest or latest dates of " + m.Variable + " were combined."
	}
	return text
}
