package database

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
)

// questions tells a meter how far questions have come that are asked one after another.
type questions struct {
	meter *progress.Meter
	all   int64
	asked int64
	told  int64
}

// parts are those of a question that a meter tells apart.
const parts = 1000

// questions begins so many questions, and returns a context under which they are asked.
func (t *Table) questions(ctx context.Context, meter *progress.Meter, all int) (context.Context, *questions) {
	q := &questions{meter: meter, all: int64(all) * parts}
	meter.Start(q.all)
	if meter != nil {
		ctx = t.address.dialect.watched(ctx, q.come)
	}
	return ctx, q
}

// come tells how far the question has come that goes on: what it asks next begins where the last ended.
func (q *questions) come(done, all int64) { q.tell(q.asked + done*parts/all) }

// answered tells that a question has its answer.
func (q *questions) answered() {
	q.asked += parts
	q.tell(q.asked)
}

func (q *questions) tell(at int64) {
	if at > q.told {
		q.told = at
		q.meter.Set(at, q.all)
	}
}
