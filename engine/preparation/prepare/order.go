package prepare

import (
	"context"
	"math/rand/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/random"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Orders of the members of a household.
const (
	MembersShuffled = "shuffled"
	MembersKept     = "kept"
)

// orderTitle is the title of the step for a file without households.
const orderTitle = "random order of records"

// ShuffleRecords puts the records into random order. The members of a household stay adjacent; a record without a
// household is a household of its own.
type ShuffleRecords struct {
	Members string // MembersShuffled or MembersKept: order within a household
}

// ShuffleRecordsSpec describes shuffle-records for the catalog.
func ShuffleRecordsSpec() method.Spec {
	return method.Spec{
		Name:  "shuffle-records",
		Title: "Random order of records",
		Help: "Puts the records into random order, so that their position does not reveal where and when they were " +
			"collected. Household members stay together. No value and no figure changes.",
		Cite:   cite,
		Sample: `{}`,
		New:    method.From(ShuffleRecords{Members: MembersShuffled}),
		Draws:  method.Always,
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *ShuffleRecords) Params() []method.Param {
	return []method.Param{method.Choice(&m.Members, "members",
		"order of household members",
		MembersShuffled, MembersKept)}
}

// Apply puts the records into random order.
func (m *ShuffleRecords) Apply(ctx context.Context, in method.Input, _ *progress.Meter) (method.Output, error) {
	households, err := in.Households()
	if err != nil {
		return method.Output{}, err
	}
	order := RandomOrder(random.Stream(in.Seed, "order of records", 0), in.Data.Len(), households,
		m.Members == MembersKept)
	data := in.Data.Select(order)
	report := method.Report{Title: orderTitle, Effect: wording.Counted(in.Data.Len(), "record") + " in random order",
		Selection: &method.Selection{Before: in.Data.Len(), After: in.Data.Len()}}
	if households != nil {
		report.Title += ", households together"
	}
	return method.Output{Data: data, Report: report}, ctx.Err()
}

// Narrate states what the step did.
func (m *ShuffleRecords) Narrate(report *method.Report) string {
	if report.Title == orderTitle {
		return "The records are in random order."
	}
	return "The records are in random order, with the members of a household together."
}

// RandomOrder returns a random order of n records. Households are in random order, all orders being equally
// likely, and so are the members of each unless their order is kept. households may be nil: each record is one.
func RandomOrder(r *rand.Rand, n int, households *microdata.Households, membersKept bool) []uint32 {
	if households == nil {
		households = microdata.Singles(n)
	}
	order := make([]uint32, 0, n)
	for _, household := range r.Perm(households.Len()) {
		first := len(order)
		for i := range households.Members(household) {
			order = append(order, uint32(households.Member(household, i)))
		}
		if members := order[first:]; !membersKept {
			random.Shuffle(r, members)
		}
	}
	return order
}
