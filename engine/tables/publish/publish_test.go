package publish_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/tables/publish"
	"github.com/sdcdesk/sdcdesk/engine/tables/secondary"
	"github.com/sdcdesk/sdcdesk/engine/tables/sensitivity"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// definition reads a definition as a script has it.
func definition(t *testing.T, text string) *microdata.TableDefinition {
	t.Helper()
	var d microdata.TableDefinition
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	return &d
}

func evaluate(t *testing.T, data *microdata.Dataset, text string) *publish.Table {
	t.Helper()
	table, err := publish.Evaluate(t.Context(), data, definition(t, text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// parse returns a dataset of lines of CSV.
func parse(t *testing.T, lines ...string) *microdata.Dataset {
	t.Helper()
	return golden.Parse(t, strings.NewReader(strings.Join(lines, "\n")+"\n"))
}

// TestPublishedExamples compares whole tables with patterns that GaussSuppression made, whose hierarchies are nested
// variables of the file.
func TestPublishedExamples(t *testing.T) {
	for file, text := range map[string]string{
		"magnitude1_dom1_80": `{"by":[{"variable":"sector4"},{"variable":"geo"}],"response":"value","rules":["dominance:1,80"],"protect":"gauss"}`,
		"magnitude1_dom12_hier": `{"by":[{"variable":"sector4","nested":["sector2"]},{"variable":"geo","nested":["eu"]}],` +
			`"response":"value","rules":["dominance:1,80","dominance:2,99"],"protect":"gauss"}`,
	} {
		table := evaluate(t, golden.Data(t, "magnitude1"), text)
		want := golden.Data(t, file)
		primary, _ := want.Column("primary")
		suppressed, _ := want.Column("suppressed")
		sensitive := 0
		for row := range want.Len() {
			var codes []string
			for _, tree := range table.Trees {
				column, _ := want.Column(tree.Variable)
				codes = append(codes, column.Text(row))
			}
			cell, err := table.Find(codes)
			if err != nil {
				t.Fatal(err)
			}
			if primary.Text(row) == "TRUE" {
				sensitive++
			}
			if table.Suppressed(cell) != (suppressed.Text(row) == "TRUE") || table.Sensitive(cell) != (primary.Text(row) == "TRUE") {
				t.Errorf("%s, %v: suppressed %v, sensitive %v", file, codes, table.Suppressed(cell), table.Sensitive(cell))
			}
		}
		if s := table.Safety(); s.Sensitive != sensitive || len(s.Open)+len(s.Insiders) > 0 {
			t.Errorf("%s: %+v, want %d sensitive cells, all closed", file, s, sensitive)
		}
	}
}

// turnover protects a published table of enterprises, whose hierarchy are levels.
func turnover(t *testing.T, protect string) *publish.Table {
	t.Helper()
	data, classes := golden.Data(t, "insee_act_size"), golden.Data(t, "insee_activity_hierarchy")
	levels := [][]string{{"A88", "A21", "A10"}} // a heading does no harm
	for row := range classes.Len() {
		var path []string
		for _, name := range levels[0] {
			column, _ := classes.Column(name)
			path = append(path, column.Text(row))
		}
		levels = append(levels, path)
	}
	text, err := json.Marshal(levels)
	if err != nil {
		t.Fatal(err)
	}
	return evaluate(t, data, `{"by":[{"variable":"ACTIVITY","levels":`+string(text)+`},{"variable":"SIZE"}],"cells":true,`+
		`"response":"TOT","count":"N_OBS","largest":["MAX"],"rules":["frequency:3,10","dominance:1,85"],"protect":"`+protect+`"}`)
}

// TestFileOfCells makes tables of files whose rows are cells.
func TestFileOfCells(t *testing.T) {
	table := turnover(t, "")
	loss := table.Loss()
	if s := table.Safety(); loss.Primary != 77 || s.Sensitive != 77 || len(s.Open)+len(s.Insiders) > 0 {
		t.Errorf("%+v, %+v", loss, s)
	}
	nested := parse(t, "fine,coarse,n", "Total,Total,9", "Total,A,4", "Total,B,5", "b1,B,2", "b2,B,3")
	table = evaluate(t, nested, `{"by":[{"variable":"fine","nested":["coarse"]}],"cells":true,"response":"n"}`)
	if tree := table.Trees[0]; fmt.Sprint(tree.Nodes) != "[{Total -1 0 [1 2]} {A 0 1 []} {B 0 1 [3 4]} {b1 2 2 []} {b2 2 2 []}]" {
		t.Error(tree.Nodes)
	}
}

// TestIntervals finds the cells of a published pattern whose intervals are too narrow, fast and exactly.
func TestIntervals(t *testing.T) {
	table := evaluate(t, golden.Data(t, "magnitude1"),
		`{"by":[{"variable":"sector4","nested":["sector2"]},{"variable":"geo"}],"response":"value","rules":["p:30"],"protect":"gauss"}`)
	exact, err := table.Intervals(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	want := golden.Data(t, "magnitude1_p30_intervals")
	low, _ := want.Column("lo_1")
	high, _ := want.Column("up_1")
	narrow := 0
	for row := range want.Len() {
		var codes []string
		for _, tree := range table.Trees {
			column, _ := want.Column(tree.Variable)
			codes = append(codes, column.Text(row))
		}
		cell, err := table.Find(codes)
		if err != nil {
			t.Fatal(err)
		}
		interval, level := exact.Of[cell], table.Level(cell)
		value := table.Cells[cell].Value
		if low.Missing(row) {
			continue
		}
		if got, wanted := fmt.Sprintf("%.4f %.4f", interval.Low, interval.High), fmt.Sprintf("%.4f %.4f", low.Float(row), high.Float(row)); got != wanted {
			t.Errorf("%v: [%s], want [%s]", codes, got, wanted)
		}
		if is := slices.Contains(exact.TooNarrow, cell); is != (low.Float(row) > max(0, value-level)+1e-6 || high.Float(row) < value+level-1e-6) {
			t.Errorf("%v: too narrow is %v", codes, is)
		} else if is {
			narrow++
		}
	}
	if narrow != len(exact.TooNarrow) {
		t.Errorf("%d cells are too narrow, want %d", len(exact.TooNarrow), narrow)
	}
	if found, err := turnover(t, "").Intervals(t.Context(), false); err != nil || len(found.TooNarrow) > 0 {
		t.Errorf("%d cells are too narrow although intervals are protected, %v", len(found.TooNarrow), err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := table.Intervals(stopped, false); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestJudgedIntervals finds the same cells as the exact intervals do.
func TestJudgedIntervals(t *testing.T) {
	table := turnover(t, "gauss")
	exact, err := table.Intervals(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	judged, err := table.Intervals(t.Context(), true)
	if err != nil || !slices.Equal(judged.TooNarrow, exact.TooNarrow) || len(exact.TooNarrow) == 0 {
		t.Errorf("%v, want %v, %v", judged.TooNarrow, exact.TooNarrow, err)
	}
}

// TestOneInteger finds cells that no elimination gives.
func TestOneInteger(t *testing.T) {
	table := evaluate(t, parse(t, "a,b,n", "Total,Total,12", "p,Total,1", "q,Total,11", "Total,u,6", "Total,v,6", "p,u,1", "p,v,0", "q,u,5", "q,v,6"),
		`{"by":[{"variable":"a"},{"variable":"b"}],"cells":true,"response":"n","rules":["frequency:2,0,zeros"],"protect":"none",`+
			`"states":[{"codes":["q","u"],"state":"unsafe"},{"codes":["q","v"],"state":"unsafe"},{"codes":["p","Total"],"state":"safe"}]}`)
	found, err := table.Intervals(t.Context(), false)
	if err != nil || len(table.Safety().Open) > 0 || len(found.TooNarrow)+len(found.OneInteger) == 0 {
		t.Errorf("%+v, %+v, %v", table.Safety(), found, err)
	}
}

// TestStates sets cells by hand.
func TestStates(t *testing.T) {
	data := golden.Data(t, "magnitude1")
	const by = `{"by":[{"variable":"sector4"},{"variable":"geo"}],"response":"value","rules":["dominance:1,80"],"states":[`
	cell := func(table *publish.Table, codes ...string) int {
		at, err := table.Find(codes)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	plain := evaluate(t, data, by+"]}")
	unsafe := evaluate(t, data, by+`{"codes":["Industry","Spain"],"state":"safe"},{"codes":["Total","Iceland"],"state":"unsafe"}]}`)
	if was, at := cell(plain, "Industry", "Spain"), cell(unsafe, "Total", "Iceland"); !plain.Sensitive(was) || unsafe.Sensitive(was) ||
		!unsafe.Sensitive(at) || !unsafe.Suppressed(at) || plain.Suppressed(at) {
		t.Error("states were not obeyed")
	}
	forced := evaluate(t, data, by+`{"codes":["Industry","Spain"],"state":"forced"}]}`)
	if at := cell(forced, "Industry", "Spain"); forced.Suppressed(at) || !slices.Contains(forced.Safety().Open, at) {
		t.Error("a sensitive cell that is published is not open")
	}
	lost := evaluate(t, data, by+`{"codes":["Industry","Atlantis"],"state":"safe"}]}`)
	if len(lost.Unplaced) != 1 || len(forced.Unplaced) > 0 {
		t.Errorf("%+v", lost.Unplaced)
	}
	frozen := evaluate(t, data, by+`{"codes":["Industry","Spain"],"state":"frozen"}]}`)
	if at := cell(frozen, "Industry", "Spain"); frozen.Suppressed(at) || len(frozen.Safety().Open) > 0 {
		t.Error("a cell that was published earlier is sensitive")
	}
	for text, wanted := range map[string]error{
		`{"codes":["Industry"],"state":"safe"}`:                 tabular.ErrDefinition,
		`{"codes":["Industry","Spain"],"state":"quite unsafe"}`: tabular.ErrDefinition,
		`{"codes":["Total","Spain"],"state":"forced"},{"codes":["Entertainment","Spain"],"state":"forced"},` +
			`{"codes":["Agriculture","Spain"],"state":"forced"},{"codes":["Governmental","Spain"],"state":"forced"}`: secondary.ErrForced,
	} {
		if _, err := publish.Evaluate(t.Context(), data, definition(t, by+text+"]}"), nil); !errors.Is(err, wanted) {
			t.Errorf("%s: %v, want %v", text, err, wanted)
		}
	}
}

// TestRevealing finds the equations that reveal a cell: a chain of two, and none that is not needed.
func TestRevealing(t *testing.T) {
	table := evaluate(t, golden.Data(t, "magnitude1"), `{"by":[{"variable":"sector4"},{"variable":"geo"}],"response":"value",`+
		`"rules":["dominance:1,80"],"protect":"none"}`)
	open := table.Safety().Open
	if len(open) == 0 {
		t.Fatal("no open cell")
	}
	for _, cell := range open {
		equations := table.Explain(cell).Revealing
		values := map[int]float64{}
		for range equations { // solved one after the other, or the test does not understand them
			for _, e := range equations {
				unknown, sum := -1, 0.0
				for i, c := range e.Cells {
					value, known := values[c]
					if !table.Suppressed(c) {
						value, known = table.Cells[c].Value, true
					}
					if !known && unknown >= 0 {
						unknown = -2
					} else if !known {
						unknown = c
					}
					if i == 0 {
						value = -value
					}
					sum += value
				}
				if unknown == e.Cells[0] {
					values[unknown] = sum
				} else if unknown >= 0 {
					values[unknown] = -sum
				}
			}
		}
		if got, wanted := values[cell], table.Cells[cell].Value; len(equations) == 0 || got < wanted-1e-6 || got > wanted+1e-6 {
			t.Errorf("%v: %v from %d equations, want %v", table.Codes(cell), got, len(equations), wanted)
		}
		if len(equations) > 0 && !strings.Contains(equations[0].String(), "*") {
			t.Error(equations[0])
		}
	}
	safe := evaluate(t, golden.Data(t, "magnitude1"), `{"by":[{"variable":"sector4"},{"variable":"geo"}],"response":"value","rules":["dominance:1,80"]}`)
	for _, cell := range open {
		if e := safe.Explain(cell); e.Revealing != nil || len(e.Rules) != 1 {
			t.Errorf("%+v", e)
		}
	}
}

// TestFile writes the table without suppressed values.
func TestFile(t *testing.T) {
	table := evaluate(t, golden.Data(t, "magnitude1"), `{"by":[{"variable":"geo"}],"response":"value","rules":["frequency:5"]}`)
	file, err := table.File()
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for row := range file.Len() {
		var cells []string
		for _, column := range file.Columns() {
			cells = append(cells, column.Text(row))
		}
		rows = append(rows, strings.Join(cells, ","))
	}
	var want []string
	published := golden.Data(t, "magnitude1_dom1_80")
	value, _ := published.Column("value")
	geo, _ := published.Column("geo")
	sector, _ := published.Column("sector4")
	for row := range published.Len() {
		switch code := geo.Text(row); {
		case sector.Text(row) != tabular.Total:
		case code == "Iceland" || code == "Portugal": // 4 contributors, and the cheaper of the others
			want = append(want, code+",,suppressed")
		default:
			want = append(want, code+","+value.Text(row)+",published")
		}
	}
	if !slices.Equal(rows, want) {
		t.Errorf("%q\nwant %q", rows, want)
	}
}

// TestHierarchies takes the levels of the session from those that a recode left.
func TestHierarchies(t *testing.T) {
	levels := [][]string{{"01", "A", "X"}, {"02", "A", "X"}, {"03", "B", "X"}}
	known := func(string) [][]string { return levels }
	for _, c := range []struct{ lines, want []string }{
		{[]string{"v", "01", "03"}, []string{"Total", "X", "A", "01", "B", "03"}},
		{[]string{"v", "A", "B"}, []string{"Total", "X", "A", "B"}},
	} {
		table, err := publish.Build(t.Context(), parse(t, c.lines...), definition(t, `{"by":[{"variable":"v"}]}`), known)
		if err != nil {
			t.Fatal(err)
		}
		var codes []string
		for _, node := range table.Trees[0].Nodes {
			codes = append(codes, node.Code)
		}
		if !slices.Equal(codes, c.want) {
			t.Errorf("%v: %v, want %v", c.lines, codes, c.want)
		}
	}
}

// TestErrors names what is wrong, and where.
func TestErrors(t *testing.T) {
	rows := parse(t, "a,b,x", "p,u,-1", "q,v,2", "q,w,3")
	cells := parse(t, "a,n", "Total,5", "p,1", "q,3")
	for _, c := range []struct {
		data *microdata.Dataset
		text string
		want string
		is   error
	}{
		{rows, `{"by":[]}`, "at least one spanning variable", tabular.ErrDefinition},
		{rows, `{"by":[{"variable":"a"},{"variable":"a"}]}`, `"a" is given twice`, tabular.ErrDefinition},
		{rows, `{"by":[{"variable":"z"}]}`, `no variable "z"`, tabular.ErrDefinition},
		{rows, `{"by":[{"variable":"a","nested":["z"]}]}`, `no variable "z"`, tabular.ErrDefinition},
		{rows, `{"by":[{"variable":"a"}],"response":"b"}`, `"b" is not numeric`, tabular.ErrDefinition},
		{rows, `{"by":[{"variable":"a"}],"response":"x","rules":["p:10"]}`, "cell [p] has a negative contribution", tabular.ErrTable},
		{rows, `{"by":[{"variable":"a"}],"rules":["q:10"]}`, `"q:10"`, sensitivity.ErrRule},
		{rows, `{"by":[{"variable":"a","levels":[["p","A"],["r","A"]]}]}`, `code "q" is in no row`, tabular.ErrTree},
		{rows, `{"by":[{"variable":"a","nested":["b"]}]}`, `"q" has two parents, "v" and "w"`, tabular.ErrTree},
		{rows, `{"by":[{"variable":"a"}],"protect":"magic"}`, `protection "magic"`, tabular.ErrDefinition},
		{rows, `{"by":[{"variable":"a"}],"cost":"1"}`, `cost "1"`, tabular.ErrDefinition},
		{cells, `{"by":[{"variable":"a"}],"cells":true}`, "needs a response", tabular.ErrDefinition},
		{cells, `{"by":[{"variable":"a"}],"cells":true,"response":"n"}`, "has 5, but the cells below it add up to 4; the difference is 1", tabular.ErrTable},
	} {
		_, err := publish.Evaluate(t.Context(), c.data, definition(t, c.text), nil)
		if !errors.Is(err, c.is) || !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
	var d microdata.TableDefinition
	if err := json.Unmarshal([]byte(`{"by":[],"colour":1}`), &d); err == nil {
		t.Error("an unknown field was left out")
	}
}

// TestClone shares nothing with the definition.
func TestClone(t *testing.T) {
	const text = `{"by":[{"variable":"a","levels":[["p","A"]],"nested":["b"]}],"rules":["p:10"],"largest":["m"],` +
		`"states":[{"codes":["p"],"state":"safe"}]}`
	d := definition(t, text)
	c := d.Clone()
	c.By[0].Levels[0][0], c.By[0].Nested[0], c.Rules[0], c.Largest[0], c.States[0].Codes[0] = "", "", "", "", ""
	c.By[0].Variable = ""
	if !reflect.DeepEqual(d, definition(t, text)) {
		t.Errorf("%+v", d)
	}
}

// TestGivenBack finds the cells that records reveal which are released with a table, as far as their variables are as they were.
func TestGivenBack(t *testing.T) {
	data := golden.Data(t, "magnitude1")
	table := evaluate(t, data, `{"by":[{"variable":"sector4","nested":["sector2"]},{"variable":"geo"}],"response":"value","rules":["dominance:1,80"]}`)
	given := func(records *microdata.Dataset) int {
		t.Helper()
		cells, err := table.GivenBack(t.Context(), records)
		if err != nil {
			t.Fatal(err)
		}
		return len(cells)
	}
	sensitive := table.Safety().Sensitive
	value, _ := data.Column("value")
	geo, _ := data.Column("geo")
	all := microdata.NewBits(data.Len())
	for row := range data.Len() {
		all.Set(row)
	}
	for what, c := range map[string]struct {
		records *microdata.Dataset
		want    int
	}{
		"all":                {data, sensitive},
		"without hierarchy":  {data.Without([]string{"sector2"}), sensitive},
		"without holding":    {data.Without([]string{"company"}), sensitive},
		"without the values": {data.Without([]string{"value"}), 0},
		"without geo":        {data.Without([]string{"geo"}), 0},
		"suppressed geo":     {data.With(geo.Suppress(all)), 0},
		"perturbed":          {data.With(value.WithOrigin(microdata.Perturbed)), 0},
	} {
		if got := given(c.records); got != c.want {
			t.Errorf("%s: %d of %d cells, want %d", what, got, sensitive, c.want)
		}
	}
}

// linkedDefinitions are two tables of the same amounts that share the totals of sectors.
var linkedDefinitions = []string{
	`{"name":"countries","by":[{"variable":"sector4"},{"variable":"geo"}],"response":"value","protect":"gauss",` +
		`"states":[{"codes":["Industry","Total"],"state":"unsafe"}]}`,
	`{"name":"groups","by":[{"variable":"sector4"},{"variable":"eu"}],"response":"value","protect":"gauss",` +
		`"states":[{"codes":["Agriculture","Total"],"state":"unsafe"}]}`,
}

// judged builds tables without protection.
func judged(t *testing.T, data *microdata.Dataset, texts ...string) (tables []*publish.Table) {
	t.Helper()
	for _, text := range texts {
		table, err := publish.Define(t.Context(), data, definition(t, text), nil)
		if err != nil {
			t.Fatal(err)
		}
		tables = append(tables, table)
	}
	return tables
}

func protect(t *testing.T, tables ...*publish.Table) []*publish.Table {
	t.Helper()
	protected, err := publish.Protect(t.Context(), tables)
	if err != nil {
		t.Fatal(err)
	}
	return protected
}

// TestLinked protects tables that share cells as one: a shared cell is suppressed in both or published in both.
func TestLinked(t *testing.T) {
	data := golden.Data(t, "magnitude1")
	tables := protect(t, judged(t, data, linkedDefinitions...)...)
	for i, table := range tables {
		if s := table.Safety(); len(s.Open)+len(s.Insiders) > 0 || s.Sensitive != 1 {
			t.Errorf("table %d: %+v", i, s)
		}
		for node := range tables[0].Trees[0].Nodes {
			if a, b := tables[0].Cell(node, 0), tables[1].Cell(node, 0); tables[0].Suppressed(a) != tables[1].Suppressed(b) {
				t.Errorf("%v is suppressed in one table only", tables[0].Codes(a))
			}
		}
	}
	again := judged(t, data, linkedDefinitions[1], linkedDefinitions[0])
	again = protect(t, again...)
	for i, table := range tables {
		for cell := range table.Cells {
			if table.Suppressed(cell) != again[1-i].Suppressed(cell) {
				t.Errorf("%v depends on the order of the tables", table.Codes(cell))
			}
		}
	}
	counts := `{"by":[{"variable":"sector4"},{"variable":"geo"}]}` // reveals no values
	if mixed := protect(t, judged(t, data, linkedDefinitions[0], counts)...); mixed[1].Loss().Secondary > 0 {
		t.Error("a table of counts is linked with one of values")
	}
}

// TestOpenTogether finds cells that a table hides and another one reveals, and names its equation.
func TestOpenTogether(t *testing.T) {
	data := golden.Data(t, "magnitude1")
	box := `{"name":"countries","by":[{"variable":"sector4"},{"variable":"geo"}],"response":"value","protect":"none","states":[`
	for i, codes := range []string{`"Industry","Total"`, `"Agriculture","Total"`, `"Industry","Iceland"`, `"Agriculture","Iceland"`} {
		box += []string{"", ","}[min(i, 1)] + `{"codes":[` + codes + `],"state":"unsafe"}`
	}
	if s := evaluate(t, data, box+"]}").Safety(); s.Sensitive != 4 || len(s.Open) > 0 {
		t.Errorf("alone: %+v", s)
	}
	tables := protect(t, judged(t, data, box+"]}",
		`{"name":"groups","by":[{"variable":"sector4"},{"variable":"eu"}],"response":"value","protect":"none"}`)...)
	if s := tables[0].Safety(); len(s.Open) != 4 || !strings.Contains(tables[0].WhyOpen(s.Open[0]), "groups: [") {
		t.Errorf("together: %+v, %s", s, tables[0].WhyOpen(s.Open[0]))
	}
}
