package data

import (
	"cmp"
	"context"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/notation"
	"github.com/sdcdesk/sdcdesk/engine/release/paged"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Pages is the grid of single records that are not held in memory: one page, which is found in the background. Until it
// is there the page before stays.
type Pages struct {
	grid   *Records
	asked  request
	shown  answer
	turn   int    // of asking: what is asked once more is found anew
	given  string // the filter that was drilled into
	typed  string // the filter that was typed last
	height int    // records that were in sight last; 0: it was not drawn yet
	found  views.Cache[request, answer]
	meter  *progress.Meter // of the page that is looked for
	over   bool            // what is asked was ended
}

// request is which page of which data.
type request struct {
	data    *microdata.Dataset
	filter  string
	by      string // sorting, spelled
	place   paged.Place
	records int
	turn    int
	land    landing
}

// landing is where the cursor goes on a new page.
type landing uint8

const (
	stays landing = iota
	onTop
	atEnd
)

// answer is a page, or why there is none.
type answer struct {
	of   request
	by   draw.Sorting
	page *pageOf // nil: none came yet
	err  error
}

var (
	_ views.Pane   = (*Pages)(nil)
	_ views.Seeker = (*Pages)(nil)
)

// NewPages returns the grid of the records that meet a condition on their cells in the source; "": of all.
func NewPages(condition string) *Pages {
	p := &Pages{grid: NewRecords("", 0), given: condition, asked: request{filter: condition}}
	p.grid.PaneID = "pages"
	p.grid.page = &pageOf{Page: &paged.Page{}, widths: map[string]int{}}
	p.grid.Actions, p.grid.OnTyped = p.keys, p.taken
	p.grid.Move = draw.Bind("↑↓←→", "move", "up", "down", "left", "right", "k", "j", "h", "l", "pgup", "pgdown", "ctrl+b",
		"ctrl+f", "home", "end", "g", "G")
	return p
}

// current takes in a page that came, and returns what is asked for.
func (p *Pages) current(s views.State) request {
	if s.Pages == nil {
		return request{}
	}
	p.asked.data, p.asked.records, p.asked.by, p.asked.turn = s.Pages.Data(), cmp.Or(p.height, usualHeight), p.grid.By.Key(), p.turn
	if found := p.found.Found(p.asked); found != nil && p.shown.of != p.asked {
		p.take(*found)
	}
	return p.asked
}

// take shows a page; where there is none, what was asked before stands again.
func (p *Pages) take(found answer) {
	if p.grid.err = found.err; found.err != nil {
		if p.shown.page != nil {
			p.back()
			return
		}
		p.shown.of, p.shown.err = found.of, found.err
		return
	}
	before, was := found.page.Before, p.shown
	if was.page != nil && before < 0 && was.page.before >= 0 {
		switch found.of.place.At {
		case paged.After:
			before = was.page.before + was.page.Len()
		case paged.Before:
			before = was.page.before - found.page.Len()
		case paged.First, paged.Last, paged.From:
		}
	}
	if was.of.place == found.of.place && was.of.filter == found.of.filter && was.page != nil {
		before = max(before, was.page.before) // another size, or other steps
	}
	found.page.before, found.page.widths = before, p.grid.page.widths
	land := found.of.land
	if was.page != nil && was.of.turn == found.of.turn { // nobody asked for another place
		land = stays
	}
	switch land {
	case onTop:
		p.grid.Cursor.At = 0
	case atEnd:
		p.grid.Cursor.At = found.page.Len() - 1
	case stays:
	}
	p.grid.Cursor.Clamp(found.page.Len())
	p.shown, p.grid.page = found, found.page
}

// back asks for what is shown again.
func (p *Pages) back() {
	p.asked, p.turn, p.grid.By = p.shown.of, p.shown.of.turn, p.shown.by
	p.found.Look(p.asked, func() answer { return p.shown }) // it ends what is under way
}

// ask asks for another page.
func (p *Pages) ask(place paged.Place, land landing) draw.Action {
	p.asked.place, p.asked.land, p.over = place, land, false
	p.turn++
	p.grid.err = nil
	return draw.Handled{}
}

// Underway reports whether a page is being waited for; one of another size alone is not.
func (p *Pages) Underway() bool {
	of := p.shown.of
	of.records = p.asked.records
	return !p.over && of != p.asked
}

// usualHeight is the number of records of a page before it is known how many are in sight.
const usualHeight = 24

// Seek looks for the page that is asked for.
func (p *Pages) Seek(s views.State) views.Piece {
	of := p.current(s)
	if s.Pages == nil || p.over || p.shown.of == of {
		return nil
	}
	by, pages, meter := p.grid.By, s.Pages, new(progress.Meter)
	piece := p.found.Seek(of, func(ctx context.Context) (answer, error) {
		w := &paged.Wanted{From: of.place, Records: of.records}
		err := w.Filter.Set(of.filter)
		for _, c := range by {
			w.By = append(w.By, paged.Sorted{Variable: c.Id, Down: c.Down})
		}
		var page *paged.Page
		if err == nil {
			page, err = pages.Page(ctx, w, meter)
		}
		if ctx.Err() != nil {
			return answer{}, ctx.Err()
		}
		return answer{of: of, by: by, page: &pageOf{Page: page}, err: err}, nil
	})
	if piece != nil {
		p.meter = meter
	}
	return piece
}

// state is that of the grid: its data are the page.
func (p *Pages) state(s views.State) views.State {
	p.current(s)
	if p.shown.of.data != s.Current.Data { // its records are in rows of other data
		s.Current.Assessment = nil
	}
	s.Current = views.Version{Assessment: s.Current.Assessment}
	s.Original, s.Selected.Record, s.Measures = views.Version{}, -1, nil
	if p.shown.page != nil {
		s.Current.Data = p.shown.page.Data
	}
	return s
}

// ID returns the name that tests use.
func (p *Pages) ID() string { return p.grid.ID() }

// Title returns what the pane is called.
func (p *Pages) Title() string { return p.grid.Title() }

// Typing reports whether a text is typed.
func (p *Pages) Typing() bool { return p.grid.Typing() }

// TitleFor says which records are shown, and what is waited for.
func (p *Pages) TitleFor(s views.State) string {
	p.current(s)
	title := "Single records"
	if page := p.shown.page; page != nil {
		title += " · " + p.place(s)
		switch {
		case len(p.shown.by) > 0:
			title += " · by " + p.shown.by.String()
		case page.Called == "ctid" || page.Called == "rowid":
			title += " · by " + page.Called + ", no key is named"
		case page.Called != calledRecord && page.Called != "":
			title += " · by " + draw.Safe(page.Called)
		}
		if hidden := p.grid.hidden(p.state(s)); hidden > 0 {
			title += " · " + wording.Counted(hidden, "column") + " hidden"
		}
	}
	switch {
	case p.over:
		title += " · ended"
	case p.Underway():
		title += " · reading"
		if share := p.meter.Fraction(); share > 0 {
			title += " " + draw.Count(int(100*share)) + " %"
		}
		title += " …"
	}
	if p.shown.page != nil && p.shown.of.filter != "" { // last: it may be long
		title += " · in the source " + draw.Safe(p.shown.of.filter)
	}
	return title
}

// place says where the records of the page stand.
func (p *Pages) place(s views.State) string {
	page, text := p.shown.page, ""
	switch n := page.Len(); {
	case n == 0:
		text = "none"
	case page.before >= 0:
		text = draw.Count(page.before+1) + " to " + draw.Count(page.before+n)
	case page.Ends:
		text = "the last " + draw.Count(n)
	default:
		text = draw.Count(n)
	}
	if p.shown.of.filter != "" {
		return text
	}
	return text + " of " + draw.Count(s.Pages.Data().Records())
}

// fitting returns how many records fit into so many lines, beside the headings and the status.
func (p *Pages) fitting(height int) int {
	const others = 2
	return max(1, height-others)
}

// View draws the page.
func (p *Pages) View(s views.State, width, height int, focused bool) string {
	p.height = p.fitting(height)
	state := p.state(s)
	if p.shown.page == nil {
		text := "Reading the records …"
		if p.shown.err != nil {
			text = draw.Safe(p.shown.err.Error())
		} else if p.over {
			text = "Reading was ended; g reads the first records."
		}
		return s.Sentence(text, width, height)
	}
	return p.grid.View(state, width, height, focused)
}

// Click puts the cursor on a cell.
func (p *Pages) Click(x, y int, s views.State) draw.Action {
	if p.shown.page == nil {
		return nil
	}
	return p.grid.Click(x, y, p.state(s))
}

// Figures explains the cell under the cursor.
func (p *Pages) Figures(s views.State) []views.Figure {
	if p.shown.page == nil {
		return nil
	}
	return p.grid.Figures(p.state(s))
}

// Variable returns the variable of the column under the cursor.
func (p *Pages) Variable(s views.State) string {
	if p.shown.page == nil {
		return s.Selected.Variable
	}
	return p.grid.Variable(p.state(s))
}

// takeFilter shows the records that meet a condition.
func (p *Pages) takeFilter(text string) error {
	if text = strings.TrimSpace(text); text != "" {
		if _, err := notation.ParseCondition(text); err != nil {
			return err
		}
	}
	p.typed, p.asked.filter = text, text
	p.ask(paged.Place{}, onTop)
	return nil
}
