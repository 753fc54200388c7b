package recoding

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/house/longtests"
)

func TestMain(m *testing.M) { longtests.Main(m) }
