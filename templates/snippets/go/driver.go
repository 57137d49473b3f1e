package retryloop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

// Drive makes one call with the rendered loop beside it, for the vectors (protocol: idempact.vectors.client).
func Drive() {
	client := NewClient()
	if warm := os.Getenv("VECTOR_WARM_URL"); warm != "" {
		get(client, warm)
	}
	call := Request{URL: os.Getenv("VECTOR_URL"), Key: os.Getenv("VECTOR_KEY")}
	if err := json.Unmarshal([]byte(os.Getenv("VECTOR_BODY")), &call.Payload); err != nil {
		panic(err)
	}
	report := map[string]any{"ok": false}
	start := time.Now()
	answer, err := Send(context.Background(), client, call)
	report["elapsed_ms"] = time.Since(start).Milliseconds()
	if answer.Status != 0 {
		report["status"] = answer.Status
	}
	var refused *APIError
	var unknown *OutcomeUnknownError
	switch {
	case err == nil:
		report["ok"], report["kind"] = true, "success"
	case errors.As(err, &unknown):
		report["kind"] = "unknown"
	case errors.Is(err, ErrKeyReused):
		report["kind"] = "mismatch"
	case errors.As(err, &refused):
		report["kind"] = "refused"
	default:
		report["kind"] = "not-sent"
	}
	line, _ := json.Marshal(report)
	fmt.Println(string(line))
}

func get(client *http.Client, url string) {
	response, err := client.Get(url)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	io.Copy(io.Discard, response.Body)
}
