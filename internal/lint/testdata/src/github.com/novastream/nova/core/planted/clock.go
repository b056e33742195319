package planted

import "time"

func clock() {
	_ = time.Now()                   // want `clock: time.Now; stamp with run.Runtime.Now`
	_ = time.Since(time.Time{})      // want `clock: time.Since`
	_ = time.Until(time.Time{})      // want `clock: time.Until`
	time.Sleep(1)                    // want `clock: time.Sleep; wait with run.Runtime.Sleep`
	_ = time.After(1)                // want `clock: time.After;`
	_ = time.AfterFunc(1, func() {}) // want `clock: time.AfterFunc`
	_ = time.Tick(1)                 // want `clock: time.Tick`
	_ = time.NewTimer(1)             // want `clock: time.NewTimer`
	_ = time.NewTicker(1)            // want `clock: time.NewTicker`

	now := time.Now // want `clock: time.Now`
	_ = now
}

func zone(t time.Time) {
	_ = time.Local                    // want `zone: time.Local; all stamps are UTC`
	_, _ = time.LoadLocation("Local") // want `zone: time.LoadLocation`
	_ = t.Local()                     // want `zone: time.Time.Local`
	_ = time.Unix(1, 0)               // want `zone: time.Unix gives a time in the zone of the machine`
	_ = time.UnixMilli(1)             // want `zone: time.UnixMilli`
	_ = time.UnixMicro(1)             // want `zone: time.UnixMicro`
}
