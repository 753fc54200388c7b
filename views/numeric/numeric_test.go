package numeric

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

// bothNumbers returns the numbers of both versions of a variable, in records that have both.
func bothNumbers(s views.State, name string) (now, before []float64) {
	is, was := s.Current.Column(name).Floats(), s.Original.Column(name).Floats()
	for i := range is {
		if !math.IsNaN(is[i]) && !math.IsNaN(was[i]) {
			now, before = append(now, is[i]), append(before, was[i])
		}
	}
	return now, before
}

func TestNumericVariablesPane(t *testing.T) {
	s, p := viewtest.MaskedSurvey(t), NewNumericVariables()
	frame := viewtest.Sees(t, p, s, 200, 12)
	now, before := bothNumbers(s, "income")
	sd := draw.ShortFigures(stat.StandardDeviation(now), stat.StandardDeviation(before))
	for _, want := range []string{draw.ShortFigures(stat.Mean(now), stat.Mean(before))[0], "(" + sd[1] + ")", sd[0],
		draw.ShortFigures(stat.Quantile(now, 0.25), stat.Quantile(before, 0.25))[0],
		"(" + draw.ShortFigures(stat.Median(now), stat.Median(before))[1] + ")",
		correlationText(stat.Correlation([][]float64{now, before})[0][1])} {
		if line := strings.Split(frame, "\n")[1]; !strings.Contains(line, want) {
			t.Errorf("the line of income has no %s:\n%s", want, line)
		}
	}
	if got := viewtest.Typing(p, &s, "down"); got != (views.SelectVariable{Name: "expend"}) &&
		got != (views.SelectVariable{Name: "hsize"}) {
		t.Errorf("down gives %v", got)
	}
	s.Selected.Variable = "income"
	if got := viewtest.Typing(p, &s, "enter"); got != (views.ShowVariable{Name: "income"}) {
		t.Errorf("enter gives %v", got)
	}
	if figures := p.Figures(s); len(figures) != 4 || figures[0].Value != shortFigureOf(now, before) {
		t.Errorf("figures %+v", figures)
	}
}

func shortFigureOf(now, before []float64) string {
	return draw.FigureText(stat.Mean(now)) + " (" + draw.FigureText(stat.Mean(before)) + ")"
}

// Every record is in one bin, now and in the original, with and without extremes.
func TestNumericDistributionPane(t *testing.T) {
	s, p := viewtest.MaskedSurvey(t), NewNumericDistribution()
	records := s.Current.Column("income").Len() - s.Current.Column("income").MissingCount()
	for range 2 {
		for _, height := range []int{6, 14, 40} {
			viewtest.Sees(t, p, s, 60, height)
			now, before := 0, 0
			for _, b := range p.bins(s, *p.found.Found(p.of(s))) {
				now, before = now+b.now, before+b.before
			}
			if now != records || before != records {
				t.Errorf("%d and %d of %d records at height %d", now, before, records, height)
			}
		}
		viewtest.Typing(p, &s, "t")
	}
	if frame := viewtest.Sees(t, p, s, 60, 14); !strings.Contains(frame, "█") || !strings.Contains(frame, " or more") {
		t.Errorf("no bars, or nothing beyond:\n%s", frame)
	}
	viewtest.Typing(p, &s, "t")
	if frame := viewtest.Sees(t, p, s, 60, 14); strings.Contains(frame, "from ") {
		t.Errorf("the whole range leaves something out:\n%s", frame)
	}
}

// The scatter plot offers no key without effect, and says if it shows the whole range.
func TestScatterOffersItsKeys(t *testing.T) {
	s, p := viewtest.MaskedSurvey(t), NewNumericScatter()
	viewtest.Sees(t, p, s, 60, 15)
	for _, b := range p.Keys() {
		if viewtest.Typing(p, &s, b.Keys()[0]) == nil {
			t.Errorf("%s does nothing", b.Help().Key)
		}
	}
	if title := p.TitleFor(s); !strings.HasSuffix(title, " · whole range") {
		t.Errorf("the title is %q", title)
	}
}

// Every record with both numbers is in the picture or counted outside it; unchanged values lie on the diagonal.
func TestNumericScatterPane(t *testing.T) {
	s, p := viewtest.MaskedSurvey(t), NewNumericScatter()
	now, _ := bothNumbers(s, "income")
	for _, keys := range [][]string{nil, {"x"}, {"t"}} {
		viewtest.Typing(p, &s, keys...)
		for _, z := range []viewtest.Size{{Width: 24, Height: 8}, {Width: 61, Height: 15}, {Width: 118, Height: 30}} {
			frame := viewtest.Sees(t, p, s, z.Width, z.Height)
			viewtest.CheckFrame(t, fmt.Sprint("scatter ", keys), frame, z.Width, z.Height)
			f := p.found.Found(p.of(s))
			if f == nil {
				t.Fatalf("%v at %v: nothing was found:\n%s", keys, z, frame)
			}
			if f.now.Inside+f.now.Outside != len(now) || len(keys) > 0 && keys[0] == "t" && f.now.Outside != 0 {
				t.Errorf("%v: %d inside and %d outside of %d records", keys, f.now.Inside, f.now.Outside, len(now))
			}
		}
	}
	s.Current, p = s.Original, NewNumericScatter()
	viewtest.Sees(t, p, s, 60, 20)
	f := p.found.Found(p.of(s))
	picture := pictured(f.now, 16, 50)
	records := 0
	for i, row := range picture {
		for j, n := range row {
			records += n
			if n > 0 && math.Abs((float64(j)+0.5)/50-(float64(i)+0.5)/16) > 1.0/16 {
				t.Fatalf("%d unchanged records in column %d of 50, row %d of 16", n, j, i)
			}
		}
	}
	if records != f.now.Inside {
		t.Errorf("the picture has %d of %d records", records, f.now.Inside)
	}
	if frame := viewtest.Styles.ReplaceAllString(p.View(s, 15, 6, true),
		""); !strings.Contains(strings.Join(strings.Fields(frame), " "), "needs more room") {
		t.Errorf("a picture in 15 cells: %s", frame)
	}
}

// correlationOf returns the correlation over the records with both numbers.
func correlationOf(a, b []float64) float64 {
	var x, y []float64
	for i := range a {
		if !math.IsNaN(a[i] + b[i]) {
			x, y = append(x, a[i]), append(y, b[i])
		}
	}
	return stat.Correlation([][]float64{x, y})[0][1]
}

// A constant is correlated with nothing, not even itself.
func TestCorrelationOfAConstant(t *testing.T) {
	s := viewtest.SurveyAt(t, 0)
	same := s.Current.Column("expend").WithNumbers(microdata.Whole,
		&microdata.Numbers{Values: make([]float64, s.Current.Data.Len())})
	s.Current.Data = s.Current.Data.With(same)
	p := NewNumericCorrelations()
	for _, line := range strings.Split(viewtest.Sees(t, p, s, 200, 14), "\n") {
		if strings.Contains(line, "expend") && !strings.Contains(line, "variable") && strings.Contains(line, "1.00") {
			t.Errorf("a constant has a correlation of 1: %s", line)
		}
	}
	if now, before, ok := p.of(s, "expend", "expend"); !ok || now == now || math.Abs(before-1) > 1e-12 {
		t.Errorf("correlations %v, %v, %v", now, before, ok)
	}
}

func TestNumericCorrelationsPane(t *testing.T) {
	s, p := viewtest.MaskedSurvey(t), NewNumericCorrelations()
	frame := viewtest.Sees(t, p, s, 100, 14)
	names := p.variables(s)
	if names[0] != "income" || len(names) < 3 {
		t.Fatalf("variables %v", names)
	}
	want := correlationOf(s.Current.Column(names[0]).Floats(), s.Current.Column(names[1]).Floats())
	if now, _, ok := p.of(s, names[1], names[0]); !ok || math.Abs(now-want) > 1e-9 ||
		!strings.Contains(frame, correlationText(want)) {
		t.Errorf("correlation %v, want %v:\n%s", now, want, frame)
	}
	original := correlationOf(s.Original.Column(names[0]).Floats(), s.Original.Column(names[1]).Floats())
	if _, before, _ := p.of(s, names[0], names[1]); math.Abs(before-original) > 1e-9 || original == want {
		t.Errorf("correlation of the original %v, want %v", before, original)
	}
	viewtest.Typing(p, &s, "d", "d", "right")
	now, before, _ := p.of(s, names[0], names[1])
	if frame := viewtest.Sees(t, p, s, 100,
		14); !strings.Contains(frame,
		names[0]+", "+names[1]+": "+correlationText(now)+" ("+correlationText(before)+"), difference "+differenceText(now-before)) ||
		p.text(s, names[0], names[1]) != differenceText(now-before) {
		t.Errorf("differences:\n%s", frame)
	}
	for x, want := range map[float64]string{1: "1.00", 1 - 1e-15: "1.00", 0.9999: "0.999", -0.9961: "-0.996",
		0.994: "0.99", -0.001: "0.00", math.NaN(): "–"} {
		if got := correlationText(x); got != want {
			t.Errorf("%v is written %s, want %s", x, got, want)
		}
	}
}

// Means of regions are those of their records, weighted and unweighted.
func TestNumericGroupsPane(t *testing.T) {
	s, p := viewtest.MaskedSurvey(t), NewNumericGroups()
	income, region, weights := s.Current.Column("income").Floats(), s.Current.Column("region"), s.Current.Column("weight").Floats()
	for _, weighted := range []bool{true, false} {
		sum, whole := 0.0, 0.0
		for i, x := range income {
			if w := weights[i]; region.Text(i) == "Arden" && !math.IsNaN(x) {
				if !weighted {
					w = 1
				}
				sum, whole = sum+w*x, whole+w
			}
		}
		frame := viewtest.Sees(t, p, s, 130, 16)
		mean, total := draw.ShortFigures(sum / whole)[0], draw.ShortFigures(sum)[0]
		if line := lineWith(frame, "Arden"); !strings.Contains(line, mean) || !strings.Contains(line, total) {
			t.Errorf("weighted %v: the line has not mean %s and total %s: %s", weighted, mean, total, line)
		}
		if strings.Contains(p.TitleFor(s), "weighted") != weighted {
			t.Errorf("title %q", p.TitleFor(s))
		}
		viewtest.Typing(p, &s, "w")
	}
	viewtest.Typing(p, &s, "x", "f", "f", "f")
	if down, across := p.variables(s); down != "region" || across == "" ||
		!strings.HasPrefix(p.TitleFor(s), "records of income by region and ") {
		t.Errorf("%s and %s, title %q", down, across, p.TitleFor(s))
	}
	if frame := viewtest.Sees(t, p, s, 130, 16); !strings.Contains(lineWith(frame, "▸all"), draw.Count(len(income))) {
		t.Errorf("no sum of records:\n%s", frame)
	}
	viewtest.Typing(p, &s, "X", "y")
	if down, across := p.variables(s); down == "region" || across != "" {
		t.Errorf("%s and %s", down, across)
	}
}

func lineWith(frame, text string) string {
	for _, line := range strings.Split(frame, "\n") {
		if strings.Contains(line, text) {
			return line
		}
	}
	return ""
}

func TestNumericRiskPaneOpensTheMeasure(t *testing.T) {
	s, p := viewtest.MaskedSurvey(t), NewNumericRisk()
	if frame := p.View(s, 60, 8,
		true); !strings.Contains(strings.Join(strings.Fields(viewtest.Styles.ReplaceAllString(frame, "")), " "),
		"Press enter to compute them") {
		t.Errorf("%s", frame)
	}
	if got := p.HandleKey(draw.Press("enter"), s); got != (views.ComputeMeasure{Name: "numericrisk"}) {
		t.Errorf("enter gives %v", got)
	}
}

// Files without numbers, with one record, and with infinite numbers are described. A constant variable has no
// correlation, changed or not.
func TestConstantVariableHasNoCorrelation(t *testing.T) {
	same := microdata.NewNumeric("x", microdata.Number, &microdata.Numbers{Values: []float64{100, 100, 100}})
	data, err := microdata.NewDataset([]*microdata.Column{same})
	if err != nil {
		t.Fatal(err)
	}
	scenario, s := microdata.NewScenario(), viewtest.SurveyAt(t, 0)
	s.Scenario, s.Original, s.Current = &scenario, views.Version{Data: data}, views.Version{Data: data}
	if frame := viewtest.Sees(t, NewNumericVariables(), s, 100, 8); strings.Contains(frame, "1.00") ||
		!strings.Contains(frame, "–") {
		t.Errorf("of a constant variable:\n%s", frame)
	}
}

func TestNumericPanesOfFewNumbers(t *testing.T) {
	infinite := microdata.NewNumeric("x", microdata.Number, &microdata.Numbers{Values: []float64{math.Inf(1)}})
	one := microdata.NewNumeric("x", microdata.Number, &microdata.Numbers{Values: []float64{5}})
	missing := microdata.NewNumeric("x", microdata.Number, &microdata.Numbers{Values: []float64{math.NaN()}})
	for _, columns := range [][]*microdata.Column{nil, {infinite}, {one}, {missing}} {
		data, err := microdata.NewDataset(columns)
		if err != nil {
			t.Fatal(err)
		}
		scenario := microdata.NewScenario()
		s := viewtest.SurveyAt(t, 0)
		s.Scenario, s.Original, s.Current = &scenario, views.Version{Data: data}, views.Version{Data: data}
		for _, p := range []views.Pane{NewNumericVariables(), NewNumericDistribution(), NewNumericScatter(),
			NewNumericCorrelations(), NewNumericGroups()} {
			frame := viewtest.Sees(t, p, s, 60, 12)
			viewtest.CheckFrame(t, p.ID(), frame, 60, 12)
			p.Figures(s)
			for _, k := range p.Keys() {
				viewtest.Typing(p, &s, k.Keys()[0])
			}
			viewtest.Sees(t, p, s, 60, 12)
		}
	}
}
