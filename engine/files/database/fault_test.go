package database

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// Errors do not repeat values from the messages of a server.
func TestErrorsHaveNoValues(t *testing.T) {
	for _, code := range []string{"22P02", "23505", "40001", "57014", "57P01", "53100", "P0001", "38000", "39P01"} {
		err := postgres{}.fault(&pgconn.PgError{Code: code, Message: `"a value"`, Detail: "Key (id)=(a value)"})
		if strings.Contains(err.Error(), `"a value"`) || !strings.Contains(err.Error(), code) {
			t.Errorf("%s: %v", code, err)
		}
	}
}
