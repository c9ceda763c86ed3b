package touchline.api.events;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import touchline.api.domain.DeliveryAttempt;
import touchline.api.domain.DeliveryOutcome;
import touchline.api.domain.DeliveryOutcome.Next;
import touchline.api.domain.DueDelivery;
import touchline.api.domain.Event;
import touchline.api.egress.EgressAnswer;
import touchline.api.egress.EgressException;
import touchline.api.trace.Span;
import touchline.api.trace.Tracing;

/** Sends one delivery once and returns the result. Any thread; blocks. */
final class WebhookSender {
    static final int GONE = 410;

    private static final int MAX_HEAD_CHARS = 8 * 1024;
    private static final int MAX_BODY_CHARS = 2 * 1024;

    private final Poster poster;
    private final RetrySchedule retries;
    private final Tracing tracing;
    private final InstantSource clock;

    WebhookSender(Poster poster, RetrySchedule retries, Tracing tracing, InstantSource clock) {
        this.poster = poster;
        this.retries = retries;
        this.tracing = tracing;
        this.clock = clock;
    }

    DeliveryOutcome send(EndpointTarget target, DueDelivery due) {
        if (!tracing.isOn()) {
            return send(target, due, Span.NONE);
        }
        try (Span span =
                tracing.start(Tracing.Kind.DELIVERY, "webhook " + due.event().type().wireName())) {
            span.put("touchline.webhook.id", target.endpoint())
                    .put("touchline.event.id", due.event().id())
                    .put("touchline.event.type", due.event().type().wireName())
                    .put("touchline.delivery.attempt", due.attempts() + 1)
                    .put("http.request.method", "POST")
                    // Not its path: it may hold a credential.
                    .put("server.address", String.valueOf(target.url().getHost()));
            DeliveryOutcome outcome = send(target, due, span);
            outcome.attempt()
                    .httpStatus()
                    .ifPresent(status -> span.put("http.response.status_code", status));
            if (outcome.attempt().error().isPresent()) {
                OptionalInt status = outcome.attempt().httpStatus();
                span.failed(status.isPresent() ? Integer.toString(status.getAsInt()) : "no_answer");
            }
            return outcome;
        }
    }

    private DeliveryOutcome send(EndpointTarget target, DueDelivery due, Span span) {
        Instant at = clock.instant();
        Map<String, String> headers = headers(target, due.event(), at);
        span.traceparent().ifPresent(value -> headers.put("traceparent", value));
        String requestHead = requestHead(target.url(), headers);
        byte[] body = due.event().body().getBytes(StandardCharsets.UTF_8);
        int number = due.attempts() + 1;
        try {
            EgressAnswer answer = poster.post(target.url(), headers, body);
            Optional<String> error =
                    answer.isSuccess() ? Optional.empty() : Optional.of(reason(answer));
            return outcome(
                    due,
                    new DeliveryAttempt(
                            number,
                            at,
                            since(at),
                            OptionalInt.of(answer.status()),
                            error,
                            requestHead,
                            Optional.of(responseHead(answer)),
                            Optional.of(shown(answer.bodyText(), MAX_BODY_CHARS))),
                    answer.header("Retry-After").orElse(null));
        } catch (EgressException e) {
            return outcome(
                    due,
                    new DeliveryAttempt(
                            number,
                            at,
                            since(at),
                            OptionalInt.empty(),
                            Optional.of(shown(String.valueOf(e.getMessage()), MAX_BODY_CHARS / 2)),
                            requestHead,
                            Optional.empty(),
                            Optional.empty()),
                    /* retryAfter= */ null);
        }
    }

    private Duration since(Instant at) {
        Duration took = Duration.between(at, clock.instant());
        return took.isNegative() ? Duration.ZERO : took;
    }

    private DeliveryOutcome outcome(
            DueDelivery due, DeliveryAttempt attempt, @Nullable String retryAfter) {
        int tries = due.tries() + 1;
        Instant now = attempt.at().plus(attempt.took());
        if (attempt.error().isEmpty()) {
            return new DeliveryOutcome(due.id(), Next.SUCCEEDED, tries, now, attempt);
        }
        if (attempt.httpStatus().isPresent() && attempt.httpStatus().getAsInt() == GONE) {
            return new DeliveryOutcome(due.id(), Next.FAILED, tries, now, attempt);
        }
        RetrySchedule.Step step = retries.after(tries, now, retryAfter);
        // Once out of order, always: later events of the stream are sent already.
        Next next =
                due.isUnordered() && step.next() == Next.IN_ORDER ? Next.UNORDERED : step.next();
        return new DeliveryOutcome(due.id(), next, tries, step.dueAt(), attempt);
    }

    private static Map<String, String> headers(EndpointTarget target, Event event, Instant at) {
        long timestamp = at.getEpochSecond();
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/json");
        headers.put("webhook-id", event.id());
        headers.put("webhook-timestamp", Long.toString(timestamp));
        headers.put(
                "webhook-signature",
                WebhookSigner.sign(
                        target.secrets().valid(at), event.id(), timestamp, event.body()));
        return headers;
    }

    /** Without the query: it may hold a credential, and attempts are stored as they are. */
    private static String requestHead(URI url, Map<String, String> headers) {
        String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        String query = url.getRawQuery() == null ? "" : "?...";
        StringBuilder head =
                new StringBuilder(
                        "POST " + path + query + " HTTP/1.1\nHost: " + url.getAuthority());
        headers.forEach((name, value) -> head.append('\n').append(name).append(": ").append(value));
        return shown(head.toString(), MAX_HEAD_CHARS);
    }

    private static String responseHead(EgressAnswer answer) {
        StringBuilder head = new StringBuilder(answer.statusLine());
        answer.headers()
                .forEach(
                        header ->
                                head.append('\n')
                                        .append(header.getKey())
                                        .append(": ")
                                        .append(header.getValue()));
        return shown(head.toString(), MAX_HEAD_CHARS);
    }

    private static String reason(EgressAnswer answer) {
        return switch (answer.status()) {
            case 301, 302, 303, 307, 308 ->
                    "HTTP " + answer.status() + ": redirects are not followed";
            case GONE -> "HTTP 410: the endpoint is gone";
            default -> "HTTP " + answer.status();
        };
    }

    /** Cut to a length, without characters that a database or a terminal rejects. */
    private static String shown(String text, int maxChars) {
        String cut = text.length() > maxChars ? text.substring(0, maxChars) : text;
        StringBuilder safe = new StringBuilder(cut.length());
        cut.codePoints().map(c -> isShown(c) ? c : '\uFFFD').forEach(safe::appendCodePoint);
        return safe.toString();
    }

    private static boolean isShown(int c) {
        boolean surrogate = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
        return !surrogate && (c == '\n' || c == '\t' || !Character.isISOControl(c));
    }
}
