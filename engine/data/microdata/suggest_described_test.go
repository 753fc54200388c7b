package microdata

import (
	"fmt"
	"slices"
	"testing"
)

// describedData returns a dataset without records, with the given descriptions.
func describedData(t *testing.T, said ...Description) *Dataset {
	t.Helper()
	columns := make([]*Column, len(said))
	for i := range said {
		columns[i] = NewCategorical(fmt.Sprint("V", i), Category, &Categories{}).WithDescription(&said[i])
	}
	data, err := NewDataset(columns)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// If there are too many key variables, the least identifying ones are left out.
func TestRolesOfManyVariables(t *testing.T) {
	said := make([]Description, MostKeys+1)
	for i := range said {
		said[i] = Description{Roles: []Role{RoleKey}, Identifying: 2 + 2*(i%2)}
	}
	suggested := Suggest(describedData(t, said...))
	if len(suggested) != MostKeys/2+1 || suggested[1].Variable != "V2" {
		t.Errorf("%d keys: %v", len(suggested), suggested)
	}
}

// A variable with a role is not linked to a key variable.
func TestCompleteLinksWhatHasNoRole(t *testing.T) {
	data := describedData(t, Description{Roles: []Role{RoleKey}, Identifying: 1, Related: []string{"V1", "V2", "V3"}},
		Description{Roles: []Role{RoleKey}, Identifying: 2}, Description{})
	s := NewScenario()
	s.Assign("V0", RoleKey)
	s.Assign("V1", RoleKey)
	if s.Complete(data); !slices.Equal(s.Linked["V0"], []string{"V2"}) || len(s.Linked) != 1 {
		t.Errorf("linked %v", s.Linked)
	}
}
