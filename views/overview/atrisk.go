package overview

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// AtRisk is the pane of the violators of the screen's k, the riskiest first.
type AtRisk struct {
	views.TablePane
	shown  views.Cache[views.AssessmentAt, views.Violators]
	widths views.ColumnWidths
}

// NewAtRisk returns the pane of the violators.
func NewAtRisk() *AtRisk {
	p := &AtRisk{TablePane: views.TablePane{PaneID: "records-at-risk", Heading: "Records at risk", Enter: "open",
		Risk: true, Keyless: "Choose key variables to list the records at risk."}}
	p.Content, p.OfRow = p.table, p.explain
	return p
}

// TitleFor shows how many records violate which k.
func (p *AtRisk) TitleFor(s views.State) string {
	if s.Current.Assessment == nil {
		return p.Title()
	}
	violating := p.Look(s, 0).Violating
	if violating == 0 {
		return fmt.Sprintf("Records with the highest risks · none violates %d-anonymity", s.K)
	}
	return fmt.Sprintf("%s · %s %s %d-anonymity", p.Title(), draw.Count(violating), wording.Verb(violating, "violate"), s.K)
}

// Look returns the violators, at least up to a place if there are that many.
func (p *AtRisk) Look(s views.State, place int) *views.Violators {
	a := s.Current.Assessment
	if a == nil {
		return &views.Violators{}
	}
	v := p.shown.Look(s.AssessmentAt(), func() views.Violators { return views.ViolatorsAt(a, s.K) })
	if place >= len(v.Records) && len(v.Records) < v.Count {
		// Eight times as many each time, because a pass over the file costs the same for few and for many.
		limit := max(views.FirstViolators, 8*len(v.Records), place+1)
		v.Records = a.RecordsAtRisk(limit, v.K)
	}
	return v
}

// table has one row per violator: record number, key variables, fk, Fk and risk.
func (p *AtRisk) table(s views.State, width int) draw.Table {
	a, count := s.Current.Assessment, p.Look(s, 0).Count
	if count == 0 {
		return draw.Table{Instead: "The file has no records."}
	}
	number := max(6, draw.Width(draw.Count(a.Records)))
	t := draw.Table{Columns: []draw.Column{{Head: s.Row(), Kind: draw.Counts, Size: number, Most: number}}, Rows: count}
	var columns []*microdata.Column
	for _, name := range s.Keys() {
		if column, ok := s.Current.Data.Column(name); ok {
			columns = append(columns, column)
		}
	}
	bare := s
	bare.Bare = true
	if keys := p.columns(s, columns); number+widthOf(keys)+figuresWidth <= width {
		t.Columns, bare = append(t.Columns, keys...), s
	} else { // there is room for codes only
		t.Columns = append(t.Columns, p.columns(bare, columns)...)
		t.Status = func(width int) []string { return p.spelled(s, columns, width) }
	}
	t.Columns = append(t.Columns, draw.Column{Head: "f", Kind: draw.Tenths},
		draw.Column{Head: "F", Kind: draw.Tenths, Rank: 1}, draw.Column{Head: "risk", Kind: draw.Counts, Size: 6, Most: 6,
			Least: 5})
	if p.Look(s, 0).Violating == 0 {
		t.Above = func(width, height int) []string {
			if height < 8 {
				return nil
			}
			return s.Low.Indented(p.nobody(s), 1, width)
		}
	}
	t.Row = func(row int) []draw.Cell { return p.row(bare, p.Look(s, row).Records[row], columns) }
	t.Choose = func(row int) draw.Action { return views.SelectRecord{Record: p.Look(s, row).Records[row]} }
	t.Open = func(row int) draw.Action { return views.ShowRecord{Record: p.Look(s, row).Records[row]} }
	return t
}

// spelled returns the labels of the codes of the record under the cursor, or nothing if there are none.
func (p *AtRisk) spelled(s views.State, columns []*microdata.Column, width int) []string {
	if !slices.ContainsFunc(columns, func(column *microdata.Column) bool { return len(s.LabelsOf(column)) > 0 }) {
		return nil
	}
	record := p.Look(s, p.Cursor.At).Records[p.Cursor.At]
	texts := make([]string, len(columns))
	for i, column := range columns {
		text, _ := views.CellText(s, column, record)
		texts[i] = draw.Shortened(text)
	}
	return []string{s.Faint.Fit(" "+strings.Join(texts, ", "), width)}
}

// figuresWidth is the approximate width of fk, Fk and the risk.
const figuresWidth = 28

// columns returns the columns of the key variables.
func (p *AtRisk) columns(s views.State, columns []*microdata.Column) []draw.Column {
	out := make([]draw.Column, len(columns))
	for i, column := range columns {
		head := s.Marked(column.Name())
		size := min(18, max(min(12, draw.Width(draw.Safe(head))), p.widths.Of(column)))
		kind := draw.Words
		if s.LabelsOf(column) != nil {
			size = max(size, min(18, p.widths.Labelled(s, column)))
		} else if column.Numeric() {
			kind = draw.Counts
		}
		out[i] = draw.Column{Head: head, Kind: kind, Size: size, Most: size, Least: 5, Rank: i + 2}
	}
	return out
}

func widthOf(columns []draw.Column) int {
	width := 0
	for _, column := range columns {
		width += column.Size + 1
	}
	return width
}

// nobody returns the sentence that there is no violator, and how many there are under the conservative rule.
func (*AtRisk) nobody(s views.State) string {
	text := fmt.Sprintf("No record violates %d-anonymity under the %s rule.", s.K, s.Scenario.Rule)
	if v, ok := views.ViolatorsOf(s.Current.Assessment, s.K); ok && v.Conservative > 0 {
		text += fmt.Sprintf(" %s %s under the conservative rule, %s under the own-category rule.",
			draw.Count(v.Conservative), wording.Verb(v.Conservative, "do"), draw.Count(v.OwnCategory))
	}
	return text
}

func (p *AtRisk) row(s views.State, record int, columns []*microdata.Column) []draw.Cell {
	theme, a := s.Theme, s.Current.Assessment
	cells := []draw.Cell{{Text: draw.Count(record + 1)}}
	for _, column := range columns {
		text, style := views.CellText(s, column, record)
		if style == &theme.Changed {
			style = &theme.Plain // a recoded variable would be changed in every cell
		}
		cells = append(cells, draw.Cell{Text: text, Style: s.Fresh(style)})
	}
	sample, population := a.Frequency(record)
	return append(cells, draw.Cell{Text: wording.Frequency(sample)}, draw.Cell{Text: wording.Frequency(population)},
		draw.Cell{Text: wording.Probability(a.Risk(record)), Short: wording.ShortProbability(a.Risk(record)),
			Style: views.DangerStyle(theme, a.Risk(record))})
}

// explain explains the risk of the record under the cursor.
func (p *AtRisk) explain(s views.State) []views.Figure {
	return views.RecordFigures(s, p.Look(s, p.Cursor.At).Records[p.Cursor.At])
}
