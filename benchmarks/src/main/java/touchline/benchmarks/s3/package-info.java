/** An S3 server in a process of its own, for nodes under test. */
@NullMarked
package touchline.benchmarks.s3;

import org.jspecify.annotations.NullMarked;
