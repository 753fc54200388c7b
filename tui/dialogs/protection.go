package dialogs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/tables/publish"
	"github.com/sdcdesk/sdcdesk/engine/tables/sensitivity"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Protection is the dialog that compares the protections of a table before one is applied.
type Protection struct {
	KeyHandler
	tables []microdata.TableDefinition // of the scenario
	at     int                         // the table
	ways   []microdata.TableDefinition // the table with each protection
	found  []views.Cache[int, protection]
	merges views.Cache[int, []publish.Merge] // of the table as it is protected now
	cursor draw.Cursor
}

var _ views.Seeker = (*Protection)(nil)

// protections are those that are compared.
var protections = []struct {
	name string
	as   microdata.Protection
	cost microdata.CellCost
}{
	{"sensitive cells only", microdata.ProtectPrimary, ""},
	{"Gauss, lowest value", microdata.ProtectGauss, microdata.CostValue},
	{"intervals, lowest value", microdata.ProtectIntervals, microdata.CostValue},
	{"intervals, fewest contributors", microdata.ProtectIntervals, microdata.CostFrequency},
	{"intervals, fewest cells", microdata.ProtectIntervals, microdata.CostCells},
	{"small counts", microdata.ProtectSmallCounts + ":3", ""},
	{"cell keys", microdata.ProtectCellKey + ":5,3,2", ""},
	{"controlled rounding", microdata.ProtectRounding + ":5", ""},
	{"relative adjustment", microdata.ProtectRelative, ""},
	{"adjustment", microdata.ProtectAdjustment, ""},
	{"optimal, lowest value", microdata.ProtectOptimal, microdata.CostValue},
	{"optimal, fewest cells", microdata.ProtectOptimal, microdata.CostCells},
}

// protected returns a table with one of the protections: with the parameters that it has, or with those that fit its rules.
func protected(table *microdata.TableDefinition, as microdata.Protection, cost microdata.CellCost, seed uint64) microdata.TableDefinition {
	way := table.Clone()
	way.Protect, way.Cost, way.Seed = as, cost, 0
	is, _ := table.Protect.Split()
	switch name, _ := as.Split(); {
	case name == is && !name.Priced():
		way.Protect = table.Protect
	case name == microdata.ProtectSmallCounts:
		for _, text := range table.Rules {
			if rule, _ := sensitivity.Parse(text); rule != nil {
				if f, is := rule.(sensitivity.Frequency); is && f.Min > 1 {
					way.Protect = name + microdata.Protection(fmt.Sprint(":", f.Min))
				}
			}
		}
	}
	if way.Protect.Draws() {
		way.Seed = seed
	}
	return way
}

// NewProtection compares the protections of a table of the scenario.
func NewProtection(s views.State, at int) *Protection {
	d := &Protection{tables: s.Scenario.Clone().Tables, at: at, found: make([]views.Cache[int, protection], len(protections))}
	table, seed := &d.tables[at], session.TableSeed(d.tables)
	for i, p := range protections {
		way := protected(table, p.as, p.cost, seed)
		if way.Protect == table.Protect && (p.cost == table.Cost || !p.as.Priced()) {
			d.cursor.At = i
		}
		d.ways = append(d.ways, way)
	}
	d.Acts = func() []views.KeyAction {
		return []views.KeyAction{views.Presses("↑↓", "move", Moves(&d.cursor.At, d.rows()), "up", "down", "k", "j", "home", "end", "g", "G"),
			views.EmitsFrom("enter", d.enter(), func(views.State) draw.Action { return d.apply() }),
			views.Emits("esc", "cancel", Close{})}
	}
	return d
}

// Title names the dialog.
func (d *Protection) Title() string { return "Protection of the table" }

// shownMerges is the number of merges that are listed.
const shownMerges = 4

// merged returns the best merges of categories found so far.
func (d *Protection) merged() []publish.Merge {
	found := d.merges.Found(0)
	if found == nil {
		return nil
	}
	return (*found)[:min(len(*found), shownMerges)]
}

// rows counts the protections and the merges.
func (d *Protection) rows() int { return len(d.ways) + len(d.merged()) }

// enter says what enter does in the row under the cursor.
func (d *Protection) enter() string {
	if d.cursor.At < len(d.ways) {
		return "apply"
	}
	return "recode the variable"
}

// apply changes the table, or opens the recode of the variable whose categories a merge joins.
func (d *Protection) apply() draw.Action {
	if at := d.cursor.At - len(d.ways); at >= 0 {
		return views.OpenRecode{Variable: d.merged()[at].Variable}
	}
	if p := d.found[d.cursor.At].Found(d.cursor.At); p != nil && p.err != nil {
		return draw.Handled{} // the status line says why
	}
	return views.SetTables{Tables: d.with(d.cursor.At)}
}

// with returns the tables of the scenario, the table with one of the protections.
func (d *Protection) with(way int) []microdata.TableDefinition {
	tables := slices.Clone(d.tables)
	tables[d.at] = d.ways[way]
	return tables
}

// Seek tries one protection after the other.
func (d *Protection) Seek(s views.State) views.Piece {
	for i := range d.ways {
		if d.found[i].Found(i) == nil {
			now, tables := s.TableSource(), d.with(i)
			return d.found[i].Seek(i, func(ctx context.Context) (protection, error) { return protect(ctx, now, tables, d.at) })
		}
	}
	if d.merges.Found(0) != nil {
		return nil
	}
	now, tables := s.TableSource(), make([]publish.Source, len(d.tables))
	return d.merges.Seek(0, func(ctx context.Context) ([]publish.Merge, error) {
		for i := range tables {
			definition := d.tables[i].Clone()
			data, levels := now(&definition)
			tables[i] = publish.Source{Data: data, Definition: &definition, Known: levels}
		}
		return publish.Merges(ctx, tables, d.at)
	})
}

// View draws a row for each protection.
func (d *Protection) View(s views.State, width, height int) string {
	t := draw.Table{
		Columns: []draw.Column{{Head: "protection", Least: 31, Most: 48}, {Head: "suppressed", Kind: draw.Counts},
			{Head: "changed", Kind: draw.Counts}, {Head: "information loss", Kind: draw.Counts, Rank: 1},
			{Head: "largest change", Kind: draw.Counts, Rank: 2}, {Head: "recalculable", Kind: draw.Counts},
			{Head: "too narrow", Kind: draw.Counts, Rank: 3}},
		Rows: d.rows(),
		Row:  func(row int) []draw.Cell { return d.row(s, row) },
		Status: func(width int) []string {
			if d.cursor.At >= len(d.ways) {
				return s.Faint.Indented("Merging two categories with a recode changes the microdata as well.", 1, width)
			}
			switch p := d.found[d.cursor.At].Found(d.cursor.At); {
			case p == nil:
			case p.err != nil:
				return s.Error.Indented(p.err.Error(), 1, width)
			case p.loss.Bound > 0:
				return s.Faint.Indented(d.ways[d.cursor.At].CostName()+" "+wording.Value(p.loss.Cost)+", "+p.loss.Bounded(), 1, width)
			}
			for i := range d.ways {
				if p := d.found[i].Found(i); p != nil && p.err != nil {
					return s.Faint.Indented("Select a protection marked \"impossible\" to see the reason.", 1, width)
				}
			}
			return nil
		},
	}
	return t.View(s.Look, &d.cursor, width, height, true)
}

func (d *Protection) row(s views.State, row int) []draw.Cell {
	if at := row - len(d.ways); at >= 0 {
		m := d.merged()[at]
		return []draw.Cell{{Text: m.Variable + ": merge " + m.Codes[0] + " + " + m.Codes[1], Style: &s.Changed},
			{Text: draw.Count(m.Loss.Affected())}, {}, {Text: wording.Value(m.Loss.Lost())}, {}, {}, {}}
	}
	name := protections[row].name
	if _, parameters := d.ways[row].Protect.Split(); parameters != "" {
		name += ": " + strings.ReplaceAll(parameters, ",", ", ")
	}
	cells := []draw.Cell{{Text: name}, {Text: "…"}, {Text: "…"}, {Text: "…"}, {Text: "…"}, {Text: "…"}, {Text: "…"}}
	p := d.found[row].Found(row)
	switch {
	case p == nil:
		return cells
	case p.err != nil:
		return []draw.Cell{cells[0], {Text: "impossible", Style: &s.Faint}, {}, {}, {}, {}, {}}
	}
	cells[1].Text, cells[2].Text = draw.Count(p.loss.Primary+p.loss.Secondary), draw.Count(p.loss.Changed)
	cells[3].Text, cells[4].Text = wording.Value(p.loss.Lost()), wording.Value(p.loss.Largest)
	cells[5] = graded(s.Theme, p.safety.Recalculable(), &s.Error)
	cells[6] = draw.Cell{Text: "–", Style: &s.Faint}
	if p.narrow >= 0 {
		cells[6] = graded(s.Theme, p.narrow, &s.Warning)
	}
	return cells
}

// graded is a number of unsafe cells, in the style of bad if there are any.
func graded(theme *draw.Theme, cells int, bad *draw.Style) draw.Cell {
	if cells == 0 {
		bad = &theme.Good
	}
	return draw.Cell{Text: draw.Count(cells), Style: bad}
}

// Click chooses a row.
func (d *Protection) Click(_, y int, _ views.State) draw.Action {
	if row, ok := d.cursor.RowAt(y); ok && row < d.rows() {
		d.cursor.At = row
	}
	return draw.Handled{}
}

// Size is that of a table with few rows.
func (d *Protection) Size() (width, height int) { return 114, 18 }
