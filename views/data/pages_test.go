package data

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/release/paged"
	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
	"github.com/sdcdesk/sdcdesk/views/viewtest/nasty"
)

// pager has pages whose records are called by where they begin.
type pager struct {
	data *microdata.Dataset
	page func(ctx context.Context, w *paged.Wanted) (*paged.Page, error)
}

func (p *pager) Data() *microdata.Dataset { return p.data }
func (p *pager) Page(ctx context.Context, w *paged.Wanted, _ *progress.Meter) (*paged.Page, error) {
	page, err := p.page(ctx, w)
	if page != nil && w.From.At == paged.First {
		page.Before = 0
	}
	return page, err
}

// labelled returns a page of records with some labels, of which the first is lost by some of its group.
func labelled(t *testing.T, called string, labels ...string) *paged.Page {
	t.Helper()
	levels, codes, known := []microdata.Level{}, []uint32{}, map[string]uint32{}
	page := &paged.Page{Called: called, Before: -1, Undecided: streamed.Undecided{"sex": {0: {Some: 2, Of: 7}}}}
	for _, label := range labels {
		if known[label] == 0 {
			levels = append(levels, microdata.Level{Label: label})
			known[label] = uint32(len(levels))
		}
		codes = append(codes, known[label])
		page.Names, page.Marks, page.Rows = append(page.Names, label), append(page.Marks, label), append(page.Rows, 0)
	}
	column := microdata.NewCategorical("sex", microdata.Category, &microdata.Categories{Levels: levels, Codes: microdata.CodesOf(codes)})
	data, err := microdata.NewDataset([]*microdata.Column{column})
	if err != nil {
		t.Fatal(err)
	}
	page.Data = data
	return page
}

// While a page is waited for the one before stays, and says so; esc ends that, and an error is told over the page
// before.
func TestPagesComeInTheBackground(t *testing.T) {
	s, p := viewtest.SurveyAt(t, 0), NewPages("")
	pages := &pager{data: s.Current.Data}
	s.Pages = pages
	draw := func() string { return p.TitleFor(s) + "\n" + p.View(s, 100, 12, true) }
	has := func(what string, parts ...string) {
		t.Helper()
		frame := viewtest.Styles.ReplaceAllString(draw(), "")
		for _, part := range parts {
			if not := strings.HasPrefix(part, "!"); strings.Contains(frame, strings.TrimPrefix(part, "!")) == not {
				t.Fatalf("%s: %q\n%s", what, part, frame)
			}
		}
	}
	answers := func(names ...string) {
		pages.page = func(context.Context, *paged.Wanted) (*paged.Page, error) { return labelled(t, "pid", names...), nil }
	}
	answers("alpha", "beta")
	has("before the first", "Reading the records")
	viewtest.SeekAll(t, p, s)
	has("the first", "alpha", "beta", "∅?", "by pid", "!reading", "lost by 2 of the 7 records of its group")
	answers("gamma", "delta")
	viewtest.Typing(p, &s, "pgdown")
	piece := p.Seek(s)
	has("waiting", "alpha", "reading")
	piece(t.Context(), time.Second)()
	has("the second", "gamma", "!alpha", "!reading", "3 to 4 of")
	viewtest.Typing(p, &s, "down", "down") // past the last one of the page
	pages.page = func(ctx context.Context, w *paged.Wanted) (*paged.Page, error) {
		if w.From != (paged.Place{At: paged.After, Mark: "delta"}) {
			t.Errorf("down asks for %+v", w.From)
		}
		<-ctx.Done()
		return nil, ctx.Err()
	}
	piece = p.Seek(s)
	done := make(chan func())
	go func() { done <- piece(context.Background(), time.Second) }()
	has("waiting again", "gamma", "reading")
	viewtest.Typing(p, &s, "esc")
	select {
	case take := <-done:
		take()
	case <-time.After(5 * time.Second):
		t.Fatal("esc does not end the search")
	}
	has("ended", "gamma", "!reading")
	if p.Seek(s) != nil {
		t.Error("something is looked for once it was ended")
	}
	pages.page = func(context.Context, *paged.Wanted) (*paged.Page, error) { return nil, errors.New("not to be sorted") }
	viewtest.Typing(p, &s, "s")
	has("sorting", "reading")
	viewtest.SeekAll(t, p, s)
	has("refused", "not to be sorted", "gamma", "!reading", "!↑", "by pid")
	answers("epsilon")
	viewtest.Typing(p, &s, "s")
	viewtest.SeekAll(t, p, s)
	has("sorted", "epsilon", "by sex ↑", "!not to be sorted")
	answers("zeta")
	s.Pages = &pager{data: viewtest.SurveyAt(t, 3).Current.Data, page: pages.page} // a step was made
	viewtest.SeekAll(t, p, s)
	has("after a step", "zeta")
}

// Cells, names and filters that screens dislike do no harm.
func TestPagesOfHostileLabels(t *testing.T) {
	s := viewtest.SurveyAt(t, 0)
	for _, called := range []string{"record", "ctid", "", nasty.Labels[2], "pid"} {
		p := NewPages("sex = \"" + nasty.Labels[2] + "\"")
		s.Pages = &pager{data: s.Current.Data, page: func(context.Context, *paged.Wanted) (*paged.Page, error) {
			return labelled(t, called, nasty.Labels...), nil
		}}
		for _, size := range [][2]int{{80, 24}, {30, 5}, {1, 1}, {200, 60}} {
			p.View(s, size[0], size[1], true)
			viewtest.SeekAll(t, p, s)
			for range len(nasty.Labels) {
				viewtest.CheckFrame(t, called, p.View(s, size[0], size[1], true), size[0], size[1])
				viewtest.Typing(p, &s, "down")
			}
		}
	}
}
