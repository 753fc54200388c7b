package clickhouse

import (
	"context"
	"database/sql/driver"
	"errors"
	"strconv"
	"time"
)

// telling is the key of what a context has for WithProgress.
type telling struct{}

// WithProgress returns a context under which a statement tells, some time after it was asked and until the answer
// begins, how many records the server has read, and of how many: where the user may see that, and the server knows
// it.
func WithProgress(ctx context.Context, tell func(done, all int64)) context.Context {
	return context.WithValue(ctx, telling{}, tell)
}

// askedAgain is how long it takes until a server is asked how far it has come, and asked again.
const askedAgain = 500 * time.Millisecond

// watch tells how far a query has come, until stop returns.
func (c *connection) watch(ctx context.Context, id string) (stop func()) {
	tell, _ := ctx.Value(telling{}).(func(done, all int64))
	if tell == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(WithProgress(ctx, nil))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		again := time.NewTicker(askedAgain)
		defer again.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-again.C:
			}
			done, all, err := c.come(ctx, id)
			if err != nil {
				return
			}
			if all > 0 {
				tell(min(done, all), all)
			}
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

// come asks how many records a query has read, and of how many; none where it is not known.
func (c *connection) come(ctx context.Context, id string) (done, all int64, err error) {
	answer, err := c.QueryContext(ctx, "SELECT toString(sum(read_rows)), toString(sum(total_rows_approx)) FROM system.processes "+
		"WHERE query_id = '"+id+"'", nil)
	if err != nil {
		return 0, 0, err
	}
	defer answer.Close()
	cells := make([]driver.Value, 2)
	if err := errors.Join(answer.Next(cells), answer.(*rows).drain()); err != nil {
		return 0, 0, err
	}
	for i, of := range []*int64{&done, &all} {
		text, _ := cells[i].(string)
		if *of, err = strconv.ParseInt(text, 10, 64); err != nil {
			return 0, 0, err
		}
	}
	return done, all, nil
}
