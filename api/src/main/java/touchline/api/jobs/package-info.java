/** Durable jobs: clips, scaled MP4 files, and the handlers that run in the worker. */
@NullMarked
package touchline.api.jobs;

import org.jspecify.annotations.NullMarked;
