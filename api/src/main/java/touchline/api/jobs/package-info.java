/** Durable jobs and the worker process they run in. */
@NullMarked
package touchline.api.jobs;

import org.jspecify.annotations.NullMarked;
