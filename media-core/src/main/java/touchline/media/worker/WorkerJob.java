package touchline.media.worker;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;

/**
 * One job for a worker process.
 *
 * @param kind selects the handler
 * @param body input of the handler; contains no secrets
 * @param timeout the process is killed after this time
 */
public record WorkerJob(String kind, JsonNode body, Duration timeout) {}
