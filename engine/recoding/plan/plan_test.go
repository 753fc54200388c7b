package plan_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/hierarchy"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/plan"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

type fataler interface {
	Helper()
	Fatal(args ...any)
}

// found returns a search of at most the given number of rounds, or until nothing is left for 0.
func found(t fataler, in method.Input, rounds int, o plan.Options) *plan.Search {
	t.Helper()
	search, err := plan.New(context.Background(), in.Data, in.Scenario, o)
	for err == nil && !search.Found().Exhausted && (rounds == 0 || search.Found().Rounds < rounds) {
		err = search.Continue(context.Background(), nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return search
}

// replayed applies the steps of a point and returns the detail that they lose and the report of the suppression,
// nil if there is none.
func replayed(t fataler, in method.Input, p *plan.Point) (lost float64, account *method.Suppression) {
	t.Helper()
	was, made := in.Data, recodeSteps(p)
	for i, step := range p.Steps {
		out, err := method.Apply(context.Background(), step.Method, in, nil)
		if err != nil {
			t.Fatal(err)
		}
		if in.Data = out.Data; i == made-1 {
			for _, name := range in.Scenario.Keys {
				lost += entropy(was, name) - entropy(in.Data, name)
			}
		}
		account = out.Report.Suppression
	}
	return lost, account
}

// recodeSteps returns the number of recode steps of a point, which come first.
func recodeSteps(p *plan.Point) (steps int) {
	for _, r := range p.Recodes {
		steps += len(r.Steps)
	}
	return steps
}

// entropy returns the entropy of a variable's categories in bits, over the records with a value.
func entropy(data *microdata.Dataset, name string) float64 {
	column, _ := data.Column(name)
	counts := column.Categories().Counts()[1:]
	total, sum := 0, 0.0
	for _, count := range counts {
		total += count
	}
	for _, count := range counts {
		if count > 0 {
			share := float64(count) / float64(total)
			sum -= share * math.Log2(share)
		}
	}
	return sum
}

// check reports points that dominate each other, missing ends, and figures that differ from a replay.
func check(t *rapid.T, in method.Input, search *plan.Search, k int) {
	t.Helper()
	points, detail := search.Found().Frontier, 0.0
	for _, name := range in.Scenario.Keys {
		detail += entropy(in.Data, name)
	}
	if math.Abs(detail-search.Found().Detail) > 1e-9 {
		t.Fatalf("the key variables tell %v bits, not %v", detail, search.Found().Detail)
	}
	if points[0].Lost != 0 || len(points[0].Recodes) != 0 {
		t.Fatal("the first point is not suppression alone")
	}
	for i, p := range points {
		if i > 0 && p.Cells >= points[i-1].Cells {
			t.Fatalf("point %d (%v, %d) after (%v, %d)", i, p.Lost, p.Cells, points[i-1].Lost, points[i-1].Cells)
		}
		lost, account := replayed(t, in, p)
		if math.Abs(lost-p.Lost) > 1e-9 {
			t.Fatalf("a replay of point %d loses %v, not %v", i, lost, p.Lost)
		}
		if p.Cells == 0 {
			if len(p.Steps) != recodeSteps(p) {
				t.Fatal("there is a suppression that blanks nothing")
			}
			continue
		}
		if account == nil || account.Total != p.Cells || *account.Bound != *p.Bound || account.Left.Conservative > 0 ||
			account.Touched != p.Records || !slices.Equal(account.Cells, p.Suppressed) {
			t.Fatalf("a replay of point %d gives %+v, not %d cells", i, account, p.Cells)
		}
	}
}

func TestFrontierOfRandomFiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := generated.Random(t)
		k := rapid.IntRange(2, 3).Draw(t, "k")
		search := found(t, in, 3, plan.Options{K: k, Points: 40, Work: 50_000})
		check(t, in, search, k)
		points := search.Found().Frontier
		if last := points[len(points)-1]; last.Cells > 0 && complete(in) {
			t.Fatalf("the last point blanks %d cells of a file without missing values", last.Cells)
		}
	})
}

func complete(in method.Input) bool {
	for _, column := range golden.Columns(in.Data, in.Scenario.Keys...) {
		if column.MissingCount() > 0 {
			return false
		}
	}
	return true
}

// survey returns the survey of the demonstration with its key variables.
func survey(tb testing.TB) method.Input {
	scenario := microdata.NewScenario()
	scenario.Keys = generated.Keys()
	return method.Input{Data: golden.Data(tb, "survey"), Scenario: &scenario}
}

// The frontier of the survey goes from suppression only to recodes only. Its recodes are publishable, and those
// that remove a variable come last.
func TestFrontierOfTheSurvey(t *testing.T) {
	longtests.Needed(t)
	t.Parallel()
	points := found(t, survey(t), plan.DefaultRounds, plan.Options{K: 3}).Found().Frontier
	if len(points) < 8 || len(points[0].Recodes) != 0 || points[len(points)-1].Cells != 0 {
		t.Fatalf("%d points, from %d recodes to %d cells", len(points), len(points[0].Recodes), points[len(points)-1].Cells)
	}
	removed := 0
	for i, p := range points {
		here := 0
		for _, r := range p.Recodes {
			if r.Removes {
				here++
			}
			publishable(t, r)
		}
		if here < removed || i > 0 && p.Cells >= points[i-1].Cells || i > 0 && here == removed && p.Lost <= points[i-1].Lost {
			t.Errorf("point %d, which removes %d, after one that removes %d", i, here, removed)
		}
		removed = here
	}
}

// publishable reports bands whose inner ends are not multiples of a round width.
func publishable(t *testing.T, r *plan.Recode) {
	t.Helper()
	for _, step := range r.Steps {
		m, ok := step.Method.(*recode.Intervals)
		if !ok {
			continue
		}
		width := m.Breaks[2] - m.Breaks[1]
		mantissa := width / math.Pow10(int(math.Floor(math.Log10(width))))
		if !slices.Contains([]float64{1, 2, 2.5, 5}, mantissa) {
			t.Errorf("%s %s: bands of %v", r.Variable, r.Text, width)
		}
		for i, end := range m.Breaks[1 : len(m.Breaks)-1] {
			if q := (end + 1) / width; q != math.Trunc(q) || i > 0 && end-m.Breaks[i] != width {
				t.Errorf("%s %s ends at %v", r.Variable, r.Text, end)
			}
		}
	}
}

// The violators and the loss of single recodes equal those of the recoded data under every rule.
func TestSingleRecodesAreThoseOfTheStep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data, scenario := draw(t)
		k := rapid.IntRange(2, 5).Draw(t, "k")
		in := method.Input{Data: data, Scenario: scenario}
		search := found(t, in, 1, plan.Options{K: k, Single: true, Rule: scenario.Rule})
		last := math.MaxInt
		for i, p := range search.Found().Frontier {
			after := in
			for _, step := range p.Steps {
				out, err := method.Apply(context.Background(), step.Method, after, nil)
				if err != nil {
					t.Fatal(err)
				}
				after.Data = out.Data
			}
			lost := 0.0
			for _, name := range scenario.Keys {
				lost += entropy(data, name) - entropy(after.Data, name)
			}
			a := assess(t, after.Data, scenario)
			if got := a.Table().Violators(a.KeyFrequencies(), k); got != p.Violators || math.Abs(lost-p.Lost) > 1e-9 {
				t.Fatalf("%+v: %d violators and %v bits, the recoded data have %d and %v", p.Recodes, p.Violators, p.Lost, got, lost)
			}
			if len(p.Recodes) != min(i, 1) || p.Violators >= last || len(p.Recodes) == 0 && len(p.Steps) > 0 {
				t.Fatalf("point %d has %d recodes and %d violators, the one before %d", i, len(p.Recodes), p.Violators, last)
			}
			last = p.Violators
		}
		if !search.Found().Exhausted {
			t.Fatal("there is more than one round")
		}
	})
}

// lines returns the points with their steps as text.
func lines(t fataler, points []*plan.Point) []string {
	out := make([]string, len(points))
	for i, p := range points {
		for _, step := range p.Steps {
			params, err := method.Encode(step.Method)
			if err != nil {
				t.Fatal(err)
			}
			out[i] += step.Name + string(params) + "\n"
		}
	}
	return out
}

func small(tb testing.TB) method.Input {
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"sex", "age", "educ", "ethnic"}
	return method.Input{Data: generated.Survey(tb, 600, 3, scenario.Keys...), Scenario: &scenario}
}

func TestProcessorsDoNotMatter(t *testing.T) {
	in := small(t)
	var first []string
	for _, processors := range []int{1, 2, 3} {
		before := runtime.GOMAXPROCS(processors)
		got := lines(t, found(t, in, 1, plan.Options{K: 3, Work: 3_000_000, Points: 10}).Found().Frontier)
		runtime.GOMAXPROCS(before)
		if first == nil {
			first = got
		} else if !slices.Equal(first, got) {
			t.Errorf("with %d processors another frontier", processors)
		}
	}
}

// Results are kept when a search is cancelled, and it can be continued.
func TestCancelledSearch(t *testing.T) {
	in := small(t)
	o := plan.Options{K: 3, Work: 100_000, Points: 10}
	want := lines(t, found(t, in, 2, o).Found().Frontier)
	search, err := plan.New(context.Background(), in.Data, in.Scenario, o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := search.Continue(ctx, nil); !errors.Is(err, context.Canceled) || len(search.Found().Frontier) != 0 {
		t.Fatalf("error %v, %d points", err, len(search.Found().Frontier))
	}
	var meter progress.Meter
	if err := search.Continue(context.Background(), &meter); err != nil || len(search.Found().Frontier) < 2 ||
		search.Found().Rounds != 1 || meter.Fraction() != 1 {
		t.Fatalf("error %v, %d points after %d rounds, progress %v", err, len(search.Found().Frontier), search.Found().Rounds,
			meter.Fraction())
	}
	partial := lines(t, search.Found().Frontier)
	ctx, cancel = context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	if err := search.Continue(ctx, nil); !errors.Is(err, context.DeadlineExceeded) ||
		!slices.Equal(lines(t, search.Found().Frontier), partial) {
		t.Fatalf("error %v, and another frontier than that of the last round", err)
	}
	if err := search.Continue(context.Background(), nil); err != nil ||
		!slices.Equal(lines(t, search.Found().Frontier), want) {
		t.Errorf("error %v, and another frontier than without a pause", err)
	}
}

// A search that is cancelled repeatedly has the same result as one without interruption.
func TestSearchWithManyPauses(t *testing.T) {
	in := small(t)
	o := plan.Options{K: 3, Work: 100_000, Points: 10}
	want := lines(t, found(t, in, 2, o).Found().Frontier)
	search, err := plan.New(context.Background(), in.Data, in.Scenario, o)
	if err != nil {
		t.Fatal(err)
	}
	pauses := 0
	for wait := 2 * time.Millisecond; search.Found().Rounds < 2 && !search.Found().Exhausted; wait += wait / 8 {
		ctx, cancel := context.WithTimeout(context.Background(), wait)
		if err := search.Continue(ctx, nil); errors.Is(err, context.DeadlineExceeded) {
			pauses++
		} else if err != nil {
			t.Fatal(err)
		}
		cancel()
	}
	if !slices.Equal(lines(t, search.Found().Frontier), want) || pauses == 0 {
		t.Errorf("after %d pauses another frontier", pauses)
	}
}

func TestErrors(t *testing.T) {
	in := small(t)
	table := func(variable string, rows ...[]string) []recode.Hierarchy {
		return []recode.Hierarchy{{Variable: variable, Levels: rows}}
	}
	for _, c := range []struct {
		o    plan.Options
		want string
	}{
		{plan.Options{K: 1}, "the search for plans failed: k is 1; it must be at least 2"},
		{plan.Options{K: 3, Points: 1}, "the search for plans failed: a frontier of 1 points; it must have at least 2"},
		{plan.Options{K: 3, Keep: []string{"water"}},
			`the search for plans failed: "water" is not a key variable; key variables are sex, age, educ, ethnic`},
		{plan.Options{K: 3, Algorithm: "magic"},
			`the search for plans failed: parameter "algorithm" is "magic"; it must be one of minimal, thorough, sdcmicro`},
		{plan.Options{K: 3, Hierarchies: table("income")},
			`the search for plans failed: "income" is not a key variable; key variables are sex, age, educ, ethnic`},
		{plan.Options{K: 3, Hierarchies: table("sex")}, `the hierarchy of "sex" has no rows`},
		{plan.Options{K: 3, Hierarchies: table("sex", []string{"male", "low", "a"}, []string{"female", "low", "b"})},
			`the hierarchy of "sex": row 2 puts "low" into "b", an earlier row into "a"`},
		{plan.Options{K: 3, Hierarchies: table("sex", []string{"male", "all"})},
			`the hierarchy of "sex" has no level 1 for a category that `},
		{plan.Options{K: 3, Hierarchies: append(table("sex"), table("sex")...)},
			`the search for plans failed: there are two hierarchies of "sex"`},
	} {
		if _, err := plan.New(context.Background(), in.Data, in.Scenario, c.o); err == nil ||
			!strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v: %v\nwant %s", c.o, err, c.want)
		}
	}
	in.Scenario.Keys = nil
	if _, err := plan.New(context.Background(), in.Data, in.Scenario, plan.Options{K: 3}); !errors.Is(err,
		plan.ErrOptions) {
		t.Errorf("without key variables: %v", err)
	}
	few := generated.Rows(t, "ab", "cd")
	search, err := plan.New(context.Background(), few.Data, few.Scenario, plan.Options{K: 3})
	if err == nil {
		err = search.Continue(context.Background(), nil)
	}
	if !errors.Is(err, method.ErrUnreachable) {
		t.Errorf("with fewer than k records: %v", err)
	}
}

// A variable with a hierarchy is recoded by it, and one to keep is not recoded.
func TestHierarchiesAndKept(t *testing.T) {
	in := small(t)
	column, _ := in.Data.Column("educ")
	var levels hierarchy.Table
	for i, level := range column.Categories().Levels {
		levels = append(levels, []string{level.Label, []string{"low", "high"}[i/3], "any"})
	}
	o := plan.Options{K: 3, Keep: []string{"sex", "age", "ethnic"},
		Hierarchies: []recode.Hierarchy{{Variable: "educ", Levels: levels}}}
	search := found(t, in, 1, o)
	depths := map[int]bool{}
	for _, p := range search.Found().Frontier {
		for _, step := range p.Steps[:recodeSteps(p)] {
			m, ok := step.Method.(*recode.Hierarchy)
			if !ok {
				t.Fatalf("the step %s", step.Name)
			}
			depths[m.Depth] = true
		}
		if _, account := replayed(t, in, p); p.Cells > 0 && account.Total != p.Cells {
			t.Errorf("a replay blanks %d cells, not %d", account.Total, p.Cells)
		}
	}
	if !depths[1] || !depths[2] {
		t.Errorf("levels of the hierarchy that are used: %v", depths)
	}
}

// Strata, households, other algorithms and previously recoded data.
func TestReplayOfOtherScenarios(t *testing.T) {
	for name, change := range map[string]func(*method.Input, *plan.Options){
		"strata":          func(in *method.Input, _ *plan.Options) { in.Scenario.Strata = []string{"urbrur"} },
		"strata of a key": func(in *method.Input, _ *plan.Options) { in.Scenario.Strata = []string{"sex"} },
		"own category":    func(_ *method.Input, o *plan.Options) { o.Rule = microdata.RuleOwnCategory },
		"sdcMicro":        func(_ *method.Input, o *plan.Options) { o.Algorithm = suppress.SDCMicro },
		"thorough": func(_ *method.Input, o *plan.Options) {
			o.Algorithm, o.Iterations = suppress.Thorough, 3
		},
		"recoded": func(in *method.Input, _ *plan.Options) {
			out, err := method.Apply(context.Background(), &recode.Intervals{Variable: "age", Count: 20}, *in, nil)
			if err != nil {
				t.Fatal(err)
			}
			in.Data = out.Data
		},
		"households": func(in *method.Input, _ *plan.Options) {
			in.Scenario.Household, in.Scenario.SameForHousehold = "hid", []string{"ethnic"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			scenario := microdata.NewScenario()
			scenario.Keys = []string{"sex", "age", "educ", "ethnic"}
			in := method.Input{Data: generated.Survey(t, 300, 3, append([]string{"urbrur", "hid"}, scenario.Keys...)...),
				Scenario: &scenario}
			o := plan.Options{K: 3, Work: 300_000, Points: 6}
			change(&in, &o)
			for i, p := range found(t, in, 1, o).Found().Frontier {
				lost, account := replayed(t, in, p)
				if math.Abs(lost-p.Lost) > 1e-9 || p.Cells > 0 && account.Total != p.Cells {
					t.Errorf("point %d: a replay loses %v, not %v, and gives %+v, not %d cells", i, lost, p.Lost, account, p.Cells)
				}
			}
		})
	}
}

// If no variable may be recoded, suppression only is the frontier.
func TestFrontierOfKeptVariables(t *testing.T) {
	in := small(t)
	search := found(t, in, 0, plan.Options{K: 3, Keep: in.Scenario.Keys})
	if points := search.Found().Frontier; len(points) != 1 || len(points[0].Recodes) != 0 || points[0].Cells == 0 ||
		!search.Found().Exhausted {
		t.Errorf("%d points, the first %+v", len(points), points[0])
	}
}

// A variable with thousands of categories is searched as well.
func TestVariableOfManyCategories(t *testing.T) {
	cells, codes := make([]string, 3000), make([]string, 3000)
	for i := range cells {
		cells[i], codes[i] = strconv.Itoa(i*7%10007), "c"+strconv.Itoa(i*13%2999)
	}
	data, err := microdata.NewDataset([]*microdata.Column{golden.Column(t, "amount", cells),
		golden.Column(t, "code", codes)})
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"amount", "code"}
	in := method.Input{Data: data, Scenario: &scenario}
	points := found(t, in, 1, plan.Options{K: 3, Work: 1_000_000, Points: 8}).Found().Frontier
	if len(points) < 3 || points[len(points)-1].Cells != 0 {
		t.Errorf("%d points", len(points))
	}
	for _, p := range points {
		if lost, account := replayed(t, in, p); math.Abs(lost-p.Lost) > 1e-9 || p.Cells > 0 && account.Total != p.Cells {
			t.Errorf("a replay loses %v, not %v", lost, p.Lost)
		}
	}
}

// Numbers that are codes are grouped and not divided into intervals, including those without an order in the file.
func TestPlansForCodes(t *testing.T) {
	var x, y []string
	labels := map[string]string{}
	for i := range 400 {
		code := strconv.Itoa(1 + i*i%9)
		x, y = append(x, code), append(y, strconv.Itoa(i*7%40))
		labels[code] = "label"
	}
	for name, said := range map[string]microdata.Description{"labelled": {Labels: labels},
		"nominal": {Level: microdata.Nominal, Labels: labels}, "numbers": {Level: microdata.Nominal}} {
		data, err := microdata.NewDataset([]*microdata.Column{golden.Column(t, "x", x).WithDescription(&said),
			golden.Column(t, "y", y)})
		if err != nil {
			t.Fatal(err)
		}
		scenario := microdata.NewScenario()
		scenario.Keys = []string{"x", "y"}
		intervals, apart := 0, 0
		for _, point := range found(t, method.Input{Data: data, Scenario: &scenario}, 30,
			plan.Options{K: 3, Keep: []string{"y"}}).Found().Frontier {
			for _, step := range point.Steps {
				switch m := step.Method.(type) {
				case *recode.Intervals:
					intervals++
				case *recode.Group:
					for i := range m.Levels[1:] {
						if before, now := m.Levels[i], m.Levels[i+1]; now > before && now[0] != before[0]+1 &&
							slices.Contains(x, string(before[0]+1)) {
							apart++
						}
					}
				}
			}
		}
		if intervals > 0 || apart > 0 {
			t.Errorf("%s: %d recodes by intervals, %d groups of what are no neighbours", name, intervals, apart)
		}
	}
}

// Concurrent calls of Continue run one after the other, and results are available meanwhile.
func TestCallsAtTheSameTime(t *testing.T) {
	in := small(t)
	const calls = 4
	options := plan.Options{K: 3, Work: 200}
	alone, err := plan.New(t.Context(), in.Data, in.Scenario, options)
	if err != nil {
		t.Fatal(err)
	}
	together, err := plan.New(t.Context(), in.Data, in.Scenario, options)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range calls {
		if err := alone.Continue(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		group.Go(func() {
			if err := together.Continue(t.Context(), nil); err != nil {
				t.Error(err)
			}
			_, _, _ = together.Found().Frontier, together.Found().Tried, together.Found().Exhausted
		})
	}
	group.Wait()
	if together.Found().Rounds != alone.Found().Rounds || together.Found().Tried != alone.Found().Tried ||
		!slices.Equal(lines(t, together.Found().Frontier), lines(t, alone.Found().Frontier)) {
		t.Errorf("%d rounds, %d tried; one after the other %d, %d", together.Found().Rounds, together.Found().Tried, alone.Found().Rounds,
			alone.Found().Tried)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := together.Continue(ended, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a call that has ended: %v", err)
	}
}

// Dates become months, quarters and bands of years in any notation; nothing else is proposed for them.
func TestPlansForDates(t *testing.T) {
	var birth, sex []string
	for i := range 300 {
		day := time.Date(1940+i*i%60, time.Month(1+i%12), 1+i%28, 0, 0, 0, 0, time.UTC)
		birth, sex = append(birth, day.Format("02.01.2006")), append(sex, []string{"f", "m"}[i%2])
	}
	data, err := microdata.NewDataset([]*microdata.Column{golden.Column(t, "birth", birth), golden.Column(t, "sex", sex)})
	if err != nil {
		t.Fatal(err)
	}
	column, _ := data.Column("birth")
	data = data.With(microdata.NewCategorical("birth", microdata.Category, column.Categories().Chronological()))
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"birth", "sex"}
	search := found(t, method.Input{Data: data, Scenario: &scenario}, 0, plan.Options{K: 3})
	recoded := 0
	for _, p := range search.Found().Frontier {
		for _, r := range p.Recodes {
			if r.Variable != "birth" || r.Removes {
				continue
			}
			recoded++
			if m, ok := r.Steps[0].Method.(*recode.Dates); !ok || len(r.Steps) != 1 || m.To == recode.Weekdays {
				t.Errorf("%s: %+v", r.Text, r.Steps)
			}
		}
	}
	if last := search.Found().Frontier; recoded == 0 || last[len(last)-1].Cells > 0 {
		t.Errorf("%d recodes of dates, %d cells at the end", recoded, last[len(last)-1].Cells)
	}
}

// The suppression of a plan takes fewer cells of more important variables. Its lower bound is that of the weighted
// cost, and no bound of cells is shown: with importance it can be higher than the number of suppressed cells.
func TestPlansByImportance(t *testing.T) {
	in := survey(t)
	lost := func(importance map[string]int) map[string]int {
		first := found(t, in, 1, plan.Options{K: 5, Points: 3, Importance: importance}).Found().Frontier[0]
		if first.Bound != nil {
			t.Errorf("importance %v: %d cells and a bound of %d", importance, first.Cells, *first.Bound)
		}
		cells := map[string]int{}
		for _, count := range first.Suppressed {
			cells[count.Name] = count.Count
		}
		return cells
	}
	educ, region := lost(map[string]int{"educ": 1, "region": 2}), lost(map[string]int{"educ": 2, "region": 1})
	if educ["educ"] >= region["educ"] || region["region"] >= educ["region"] {
		t.Errorf("cells are %v with educ as the most important, %v with region", educ, region)
	}
}
