package touchline.api.vod;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.domain.OutputStorage;
import touchline.api.domain.RetryPauses;
import touchline.api.domain.TranscodingRequest;
import touchline.api.domain.TranscodingRequest.Attempt;
import touchline.api.domain.TranscodingRequest.Notice;
import touchline.api.egress.EgressAnswer;
import touchline.api.egress.EgressException;
import touchline.api.egress.EgressLimits;
import touchline.api.jobs.JobOutcome;
import touchline.api.jobs.JobRun;

/**
 * Notifies a client that the tasks of a request have ended, until it answers {@code {"ack": true}}.
 * Every try has the same id, so a receiver recognises a repeated one. One job per request; any
 * thread.
 */
final class NoticeSender {
    private static final Logger log = LoggerFactory.getLogger(NoticeSender.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final EgressLimits LIMITS =
            new EgressLimits(Duration.ofSeconds(15), Duration.ofSeconds(15), 64 * 1024);
    private static final int GONE = 410;

    private final RetryPauses pauses =
            new RetryPauses(() -> ThreadLocalRandom.current().nextDouble());
    private final TranscodingDependencies dependencies;
    private final TranscodingCounters counters;

    NoticeSender(TranscodingDependencies dependencies, TranscodingCounters counters) {
        this.dependencies = dependencies;
        this.counters = counters;
    }

    /** The result of a try. */
    private record Try(int httpStatus, String error, @Nullable String retryAfter) {
        boolean accepted() {
            return error.isEmpty();
        }
    }

    JobOutcome run(JobRun run) throws InterruptedException {
        Optional<TranscodingRequest> request =
                dependencies
                        .repository()
                        .request(run.id())
                        .filter(it -> it.notice() == Notice.PENDING);
        if (request.isEmpty()) {
            return JobOutcome.DONE;
        }
        int before = dependencies.repository().noticeLog(run.id()).orElseThrow().attempts().size();
        Instant at = dependencies.clock().instant();
        long startNs = System.nanoTime();
        Try result = send(request.get(), at);
        if (Thread.interrupted()) {
            throw new InterruptedException("notification");
        }
        long durationMs = Duration.ofNanos(System.nanoTime() - startNs).toMillis();
        dependencies
                .repository()
                .attempted(
                        run.id(),
                        new Attempt(
                                before + 1, at, durationMs, result.httpStatus(), result.error()));
        if (result.accepted()) {
            end(run.id(), Notice.DELIVERED);
            counters.noticeDelivered();
            return JobOutcome.DONE;
        }
        Optional<Duration> pause = pause(before + 1, result);
        if (pause.isEmpty()) {
            log.warn("request={} notification not acknowledged, given up", run.id());
            end(run.id(), Notice.FAILED);
            counters.noticeFailed();
            return JobOutcome.DONE;
        }
        log.info(
                "request={} notification not accepted: {}; next try in {} s",
                run.id(),
                result.error(),
                pause.get().toSeconds());
        return new JobOutcome.Continue(dependencies.clock().instant().plus(pause.get()), "");
    }

    /** Empty after the last try, or when the receiver is gone. */
    private Optional<Duration> pause(int tries, Try result) {
        return result.httpStatus() == GONE
                ? Optional.empty()
                : pauses.after(tries, dependencies.clock().instant(), result.retryAfter());
    }

    private void end(String request, Notice notice) {
        boolean _ = dependencies.repository().notice(request, Notice.PENDING, notice);
    }

    private Try send(TranscodingRequest request, Instant at) {
        // A deleted storage is kept until its notifications have ended.
        OutputStorage storage = dependencies.storages().findKept(request.storageId()).orElseThrow();
        String body =
                NoticeBody.of(request, dependencies.repository().ofRequest(request.id()))
                        .toString();
        URI url = request.notifyUrl();
        try {
            return judged(
                    dependencies
                            .egress()
                            .post(
                                    url,
                                    NoticeSignature.headers(
                                            storage, request.id(), at.getEpochSecond(), body),
                                    body.getBytes(StandardCharsets.UTF_8),
                                    LIMITS));
        } catch (EgressException e) {
            return new Try(0, String.valueOf(e.getMessage()), null);
        }
    }

    private static Try judged(EgressAnswer answer) {
        String retryAfter = answer.header("Retry-After").orElse(null);
        if (!answer.isSuccess()) {
            return new Try(answer.status(), "the receiver answers " + answer.status(), retryAfter);
        }
        return acknowledges(answer.bodyText())
                ? new Try(answer.status(), "", null)
                : new Try(
                        answer.status(),
                        "the receiver does not answer {\"ack\": true}",
                        retryAfter);
    }

    private static boolean acknowledges(String body) {
        try {
            JsonNode json = JSON.readTree(body);
            return json != null && json.path("ack").isBoolean() && json.path("ack").asBoolean();
        } catch (JsonProcessingException _) {
            return false;
        }
    }
}
