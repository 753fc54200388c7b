package session

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/release/paged"
	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// Pages finds single records of data whose records are not held in memory, and tells what the steps that stand made of
// them: a value, so that a page is found in the background while the session goes on.
type Pages struct {
	source     passing
	base, data *microdata.Dataset
	deals      []*streamed.Deal
}

// Pages returns what finds records of the session's data; nil where they are held in memory.
func (s *Session) Pages() *Pages {
	source, ok := s.opened.Source.(passing)
	if !ok {
		return nil
	}
	return &Pages{source, s.opened.Data, s.Data(), dealsOf(nil, s.tree.steps(s.tree.path(s.tree.at)))}
}

// Data returns the data whose records they are.
func (p *Pages) Data() *microdata.Dataset { return p.data }

// Page returns a page of records: as they are in the source, with what the steps made of them, as far as that is
// known of all records of a group alike. Where fewer records stand before a place than a page has, it is the first
// page. The error wraps notation.ErrCondition, paged.ErrSorting or streamed.ErrChanged, or is one of reading the
// source.
func (p *Pages) Page(ctx context.Context, w *paged.Wanted, meter *progress.Meter) (*paged.Page, error) {
	page, err := p.source.page(ctx, p.base, w, meter)
	if err == nil && w.From.At == paged.Before && page.Len() < w.Records {
		first := *w
		first.From = paged.Place{}
		page, err = p.source.page(ctx, p.base, &first, meter)
	}
	if err != nil || page.Len() == 0 {
		return page, err
	}
	release := &streamed.Release{By: p.source.grouped().by, Base: p.base, Data: p.data, Deals: p.deals}
	for _, group := range page.Groups {
		page.Rows = append(page.Rows, release.FirstRow(group))
	}
	page.Sampled = release.Sampled(page.Groups)
	page.Data, page.Undecided, err = release.Told(page.Data, page.Groups)
	return page, err
}
