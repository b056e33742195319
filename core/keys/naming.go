package keys

// Families of the naming service.
const (
	bucketsPrefix = "buckets/"
	streamsPrefix = "streams/"

	// IndexStreamID is the reverse lookup from stream id to descriptor.
	IndexStreamID = "stream-id"
)

// BucketRow is the key of a bucket.
func BucketRow(name string) string { return bucketsPrefix + name }

// BucketsPrefix is what bucket keys with this name prefix start with.
func BucketsPrefix(name string) string { return bucketsPrefix + name }

// StreamRow is the key of a stream's descriptor.
func StreamRow(bucket, key string) string { return streamsPrefix + bucket + "/" + key }

// StreamsPrefix is what descriptor keys of a bucket with this key prefix start with.
func StreamsPrefix(bucket, key string) string { return streamsPrefix + bucket + "/" + key }
