package dialogs

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/tables/publish"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Table is the dialog of the definition of a table. Enter adds it to the scenario, or changes the one that was there.
type Table struct {
	formDialog
	tables []microdata.TableDefinition // of the scenario
	at     int                         // the place among them; len(tables): a new one
	data   *microdata.Dataset

	definition microdata.TableDefinition // without what the fields hold
	name, rule string
	by         []string
	response   string
	shadow     string
	weight     string
	holding    string
	protect    string
	parameters string
	cost       string
	prior      string // the text of an earlier table
	revision   bool   // of that table
	known      views.Cache[priorKey, priorStates]
	seed       uint64

	preview views.Cache[string, protection]
}

var _ views.Seeker = (*Table)(nil)

// priorKey is what the states of an earlier table depend on, apart from the definition that the dialog opened with.
type priorKey struct {
	text, by string
	revision bool
}

type priorStates struct {
	states []microdata.CellState
	err    error
}

// usualRules are those of a new table: of counts, and of sums.
const (
	countRule = "frequency:3"
	sumRule   = "frequency:3 p:10"
)

// The names of protections and costs in the dialog, for those that are empty in a definition.
const (
	protectIntervals = "intervals"
	costValue        = "value"
)

// NewTable opens the dialog on a table of the scenario by its place; -1: a new one.
func NewTable(s views.State, at int) *Table {
	d := &Table{tables: s.Scenario.Clone().Tables, at: at, data: s.Current.Data}
	d.seed = session.TableSeed(d.tables)
	d.Heading = "Table"
	if at < 0 || at >= len(d.tables) {
		d.at, d.Heading = len(d.tables), "New table"
		keys, name := s.Scenario.Keys, s.Selected.Variable
		column, ok := d.data.Column(name)
		switch {
		case ok && column.Numeric() && len(keys) > 0 && !slices.Contains(keys, name):
			d.by, d.response = slices.Clone(keys[:1]), name
		case name != "":
			d.by = []string{name}
		}
		d.weight, d.At = s.Scenario.Weight, 1 // the field of the variables
	} else {
		d.take(&d.tables[at])
	}
	for _, p := range d.params() {
		d.Fields = append(d.Fields, NewParameterField(s, d, p))
	}
	d.Named("rules").Value = func() string { return strings.Join(d.made().Rules, " ") } // also the rules that apply if none are given
	return d
}

// take puts a definition into the fields.
func (d *Table) take(t *microdata.TableDefinition) {
	d.definition, d.name, d.rule = *t, t.Name, strings.Join(t.Rules, " ")
	for i := range t.By {
		d.by = append(d.by, t.By[i].Variable)
	}
	d.response, d.shadow, d.weight, d.holding = t.Response, t.Shadow, t.Weight, t.Holding
	name, parameters := t.Protect.Split()
	d.protect, d.parameters = cmp.Or(string(name), protectIntervals), parameters
	d.cost = cmp.Or(string(t.Cost), costValue)
}

// Params are the fields.
func (d *Table) Params() []method.Param { return d.params() }

func (d *Table) params() []method.Param {
	d.protect, d.cost = cmp.Or(d.protect, protectIntervals), cmp.Or(d.cost, costValue)
	held := func(column *microdata.Column, scenario *microdata.Scenario) bool {
		return !scenario.Has(column.Name(), microdata.RoleRemoved)
	}
	sums := func() bool { return d.response != "" }
	return []method.Param{
		method.Text(&d.name, "name", "Name of the table and of its file").Optional("the number of the table"),
		method.Variables(&d.by, "by", "Variables whose categories form the rows, columns and pages; a recode of these variables updates the table at once").
			Labelled("variables").Among(held),
		method.Variable(&d.response, "response", "Numeric variable that is summed").Among(method.NumericVariables).Optional("count of records"),
		method.Variable(&d.weight, "weight", "Sampling weight: each record counts this many times").Among(method.NumericVariables).
			Optional("none"),
		method.Variable(&d.shadow, "shadow", "Numeric variable to which the rules are applied instead of the response").
			Among(method.NumericVariables).Optional("the response").CountsIf(sums),
		method.Variable(&d.holding, "holding", "Records with the same value are one contributor, such as the enterprises of a group").
			Optional("each record is a contributor"),
		method.Text(&d.rule, "rules", "Rules that make a cell sensitive, separated by spaces: frequency:3 (fewer than 3 contributors), "+
			"dominance:1,85 (the largest exceeds 85 %), p:10 (another contributor can estimate the largest to within 10 %), pq:25,50").
			Optional(countRule + ", or " + sumRule + " for sums"),
		method.Choice(&d.protect, "protection", "intervals: suppress further cells until no sensitive one can be recalculated or estimated "+
			"closely; gauss: prevent only exact recalculation; optimal: like intervals, but at the lowest cost, for up to 500 cells; none: suppress the sensitive cells only. The others change values instead: "+
			"small-counts and controlled-rounding round, cell-key changes counts at random, adjustment moves sensitive cells",
			protectIntervals, string(microdata.ProtectGauss), string(microdata.ProtectOptimal), string(microdata.ProtectPrimary), string(microdata.ProtectSmallCounts),
			string(microdata.ProtectCellKey), string(microdata.ProtectRounding), string(microdata.ProtectAdjustment), string(microdata.ProtectRelative)),
		method.Text(&d.parameters, "parameters", "The rounding base, such as 5. For cell-key: the largest change, the variance of changes, and the "+
			"largest count that never appears, such as 5,3,2").
			Optional("default").CountsIf(d.parametrised),
		method.Choice(&d.cost, "cost", "Cost that suppression minimises: the suppressed value, the number of contributors, or the number of cells",
			costValue, string(microdata.CostFrequency), string(microdata.CostCells)).CountsIf(d.priced),
		method.File(&d.prior, "prior", "Earlier protected table (.csv) or a priori file of tau-Argus (.hst): the cells that the earlier table "+
			"suppressed are suppressed first").Optional("none"),
		method.Switch(&d.revision, "revision", "The table is a revision of the earlier one: cells that were published stay published").
			CountsIf(func() bool { return d.prior != "" }),
	}
}

// priced reports whether the protection searches for cheap cells to suppress.
func (d *Table) priced() bool {
	return d.protect == protectIntervals || microdata.Protection(d.protect).Priced()
}

// parametrised reports whether the protection has parameters.
func (d *Table) parametrised() bool {
	return slices.Contains([]microdata.Protection{microdata.ProtectSmallCounts, microdata.ProtectCellKey, microdata.ProtectRounding},
		microdata.Protection(d.protect))
}

// made returns the definition of the fields.
func (d *Table) made() *microdata.TableDefinition {
	t := d.definition.Clone()
	t.Name, t.Response, t.Shadow, t.Weight, t.Holding = d.name, d.response, d.shadow, d.weight, d.holding
	if t.Response == "" {
		t.Shadow = ""
	}
	t.Rules = strings.Fields(d.rule)
	switch {
	case len(t.Rules) > 0:
	case t.Response != "":
		t.Rules = strings.Fields(sumRule)
	default:
		t.Rules = strings.Fields(countRule)
	}
	t.Protect, t.Cost = microdata.Protection(d.protect), microdata.CellCost(d.cost)
	if t.Protect == protectIntervals {
		t.Protect = microdata.ProtectIntervals
	}
	if t.Cost == costValue || !d.priced() {
		t.Cost = microdata.CostValue
	}
	if d.parametrised() && d.parameters != "" {
		t.Protect += microdata.Protection(":" + strings.ReplaceAll(d.parameters, " ", ""))
	}
	if t.Seed = 0; t.Protect.Draws() {
		t.Seed = d.seed
	}
	was := t.By
	if t.By = nil; !slices.EqualFunc(was, d.by, func(s microdata.Spanning, name string) bool { return s.Variable == name }) {
		t.States = nil // of cells that the table has no more
	}
	for _, name := range d.by {
		at := slices.IndexFunc(was, func(s microdata.Spanning) bool { return s.Variable == name })
		if at >= 0 {
			t.By = append(t.By, was[at])
		} else {
			t.By = append(t.By, microdata.Spanning{Variable: name})
		}
	}
	if d.prior != "" {
		t.States = d.earlier(&t).states
	}
	return &t
}

// earlier returns the states of a definition with those of the earlier table.
func (d *Table) earlier(t *microdata.TableDefinition) *priorStates {
	return d.known.Look(priorKey{d.prior, strings.Join(d.by, "\x00"), d.revision}, func() priorStates {
		with, _, err := publish.WithPrior(t, d.prior, d.revision)
		return priorStates{with.States, err}
	})
}

// problem returns the error of the fields, or nil.
func (d *Table) problem() error {
	if err := d.Err(); err != nil {
		return err
	}
	made := d.made()
	if d.prior != "" {
		if err := d.earlier(made).err; err != nil {
			return err
		}
	}
	return publish.Check(made)
}

// Keys returns the keys of the form and of its lists.
func (d *Table) Keys() []key.Binding {
	yes := "add the table"
	if d.at < len(d.tables) {
		yes = "change the table"
	}
	return d.keys(yes, d.listKeys(false)...)
}

// HandleKey edits the fields; enter changes the scenario.
func (d *Table) HandleKey(msg tea.KeyPressMsg, s views.State) draw.Action {
	if action := d.list(msg, s, s.Scenario, nil, func() {}); action != nil {
		return action
	}
	return d.handle(msg, func() draw.Action {
		if d.problem() != nil {
			return nil
		}
		return views.SetTables{Tables: d.changed()}
	})
}

// changed returns the tables with the one of the fields.
func (d *Table) changed() []microdata.TableDefinition {
	tables := append(slices.Clone(d.tables[:d.at]), *d.made())
	return append(tables, d.tables[min(len(d.tables), d.at+1):]...)
}

// key is what the preview depends on.
func (d *Table) key() string {
	text, _ := json.Marshal(d.made()) // a definition always can be
	return string(text)
}

// Seek makes the table in the background.
func (d *Table) Seek(s views.State) views.Piece {
	if d.problem() != nil || s.TableSource == nil {
		return nil
	}
	tables, now := d.changed(), s.TableSource()
	return d.preview.Seek(d.key(), func(ctx context.Context) (protection, error) { return protect(ctx, now, tables, d.at) })
}

// protection is a table with its protection and what that costs.
type protection struct {
	table  *publish.Table
	safety publish.Safety
	loss   publish.Loss
	narrow int // sensitive cells whose interval is too narrow; -1: not known, because the table is large
	err    error
}

// protect evaluates a table of the scenario together with those that share cells with it. The error is that of the
// context; others are in the result.
func protect(ctx context.Context, source views.TableSource, tables []microdata.TableDefinition, at int) (p protection, err error) {
	var pointers []*microdata.TableDefinition
	for i := range tables {
		pointers = append(pointers, &tables[i])
	}
	var defined []*publish.Table
	place := 0
	for _, i := range publish.Linked(pointers, at) {
		data, levels := source(&tables[i])
		t, err := publish.Define(ctx, data, &tables[i], levels)
		if i == at {
			place, p.err = len(defined), err
		}
		if err == nil {
			defined = append(defined, t)
		}
	}
	if p.err == nil {
		defined, p.err = publish.Protect(ctx, defined)
	}
	if p.err != nil {
		return p, ctx.Err()
	}
	p.table = defined[place]
	p.safety, p.loss, p.narrow = p.table.Safety(), p.table.Loss(), -1
	found, err := p.table.FewIntervals(ctx)
	if err == nil && found.Of != nil {
		p.narrow = len(found.OneInteger) + len(found.TooNarrow)
	}
	return p, err
}

// View draws the fields, and below them what the table would be.
func (d *Table) View(s views.State, width, height int) string {
	lines := d.WithUnder(s, width, height, func(int) []string {
		switch problem := d.problem(); {
		case d.Err() != nil:
			return nil
		case problem != nil:
			return s.Warning.Wrapped(problem.Error(), width)
		}
		return d.previewed(s, width)
	})
	return draw.Within(s.Theme, lines, width, height)
}

// previewed describes the table as it would be.
func (d *Table) previewed(s views.State, width int) []string {
	p := d.preview.Found(d.key())
	switch {
	case p == nil:
		return s.Faint.Wrapped("counting …", width)
	case p.err != nil:
		return s.Error.Wrapped(p.err.Error(), width)
	}
	open := p.safety.Recalculable()
	style := &s.Good
	if open > 0 {
		style = &s.Error
	}
	lost := wording.Counted(p.loss.Secondary, "secondary suppression")
	if p.table.Perturbs() {
		lost = draw.Count(p.loss.Changed) + " changed, by " + wording.Value(p.loss.Largest) + " at most"
	}
	lines := s.Plain.Wrapped(wording.Counted(len(p.table.Cells), "cell")+", "+draw.Count(len(p.table.Cells)-p.loss.Cells)+" of them empty; "+
		draw.Count(p.safety.Sensitive)+" sensitive, "+lost, width)
	return append(lines, style.Wrapped(wording.Counted(open, "sensitive cell")+" can be recalculated", width)...)
}

// Size returns the size of a page of text.
func (d *Table) Size() (width, height int) { return 92, 24 }
