package touchline.api.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import touchline.api.host.HostFacts;
import touchline.media.worker.WorkerIsolation;
import touchline.overlay.page.BrowserFacts;

/**
 * What the host of a server has and how it is used, and the isolation of its child processes.
 * Immutable.
 *
 * @param browser empty while no browser runs
 */
public record HostReport(HostFacts facts, WorkerIsolation workers, Optional<BrowserFacts> browser) {
    private static final double PERCENT = 100;

    ObjectNode json(Instant now) {
        ObjectNode json = Json.object();
        json.put("started_at", facts.startedAt().toString())
                .put("uptime_s", Duration.between(facts.startedAt(), now).toSeconds())
                .put("measured_at", facts.measuredAt().toString());
        cpu(json.putObject("cpu"));
        memory(json.putObject("memory"));
        facts.disk()
                .ifPresentOrElse(
                        disk -> disk(json.putObject("disk"), disk), () -> json.putNull("disk"));
        gpus(json.putObject("gpu"));
        encoders(json.putObject("encoders"));
        versions(json.putObject("versions"));
        facts.certificate()
                .ifPresentOrElse(
                        end -> certificate(json.putObject("certificate"), end, now),
                        () -> json.putNull("certificate"));
        isolation(json.putObject("isolation"));
        return json;
    }

    private void cpu(ObjectNode json) {
        json.put("count", facts.cpu().count());
        share(json, "load", facts.cpu().load());
        share(json, "process_load", facts.cpu().processLoad());
    }

    private void memory(ObjectNode json) {
        HostFacts.Memory memory = facts.memory();
        json.put("heap_used_bytes", memory.heapUsed())
                .put("heap_committed_bytes", memory.heapCommitted())
                .put("heap_max_bytes", memory.heapMax())
                .put("direct_bytes", memory.direct())
                .put("media_bytes", memory.media());
        number(json, "resident_bytes", memory.resident());
        number(json, "host_total_bytes", memory.hostTotal());
        number(json, "host_available_bytes", memory.hostAvailable());
    }

    private static void disk(ObjectNode json, HostFacts.Disk disk) {
        json.put("size_bytes", disk.size()).put("free_bytes", disk.free());
        number(json, "growth_bytes_per_day", disk.growthPerDay());
        if (disk.daysLeft().isPresent()) {
            json.put("days_left", Math.round(disk.daysLeft().getAsDouble() * 10) / 10.0);
        } else {
            json.putNull("days_left");
        }
    }

    private void gpus(ObjectNode json) {
        ArrayNode cards = json.putArray("cards");
        for (HostFacts.Gpu card : facts.gpus().cards()) {
            ObjectNode each = cards.addObject();
            each.put("index", card.index()).put("name", card.name()).put("driver", card.driver());
            number(each, "memory_total_bytes", card.memoryTotalBytes());
            number(each, "memory_used_bytes", card.memoryUsedBytes());
            percent(each, "load", card.load());
            percent(each, "encoder_load", card.encoderLoad());
            percent(each, "decoder_load", card.decoderLoad());
            if (card.encoderSessions().isPresent()) {
                each.put("encoder_sessions", card.encoderSessions().getAsInt());
            } else {
                each.putNull("encoder_sessions");
            }
        }
        text(json, "reason", facts.gpus().reason());
    }

    private void encoders(ObjectNode json) {
        ArrayNode h264 = json.putArray("h264");
        for (HostFacts.Encoder encoder : facts.encoders().h264()) {
            ObjectNode each = h264.addObject();
            each.put("name", encoder.name())
                    .put("hardware", encoder.hardware())
                    .put("usable", encoder.reason().isEmpty());
            text(each, "reason", encoder.reason());
        }
        text(json, "selected", facts.encoders().selected().orElse(""));
        ArrayNode work = json.putArray("work");
        for (HostFacts.Work each : facts.encoders().work()) {
            ObjectNode kind = work.addObject();
            kind.put("kind", each.kind()).put("running", each.running());
            number(kind, "limit", each.limit());
        }
    }

    private void versions(ObjectNode json) {
        HostFacts.Versions versions = facts.versions();
        json.put("touchline", versions.touchline()).put("java", versions.java());
        text(json, "ffmpeg", versions.ffmpeg().orElse(""));
        text(json, "pytorch", versions.pytorch().orElse(""));
        text(json, "chromium", browser.map(BrowserFacts::version).orElse(""));
        json.put("os", versions.os()).put("database", versions.database());
    }

    private static void certificate(ObjectNode json, HostFacts.Certificate end, Instant now) {
        json.put("subject", end.subject())
                .put("not_after", end.notAfter().toString())
                .put("days_left", Duration.between(now, end.notAfter()).toDays());
    }

    private void isolation(ObjectNode isolation) {
        isolation
                .putObject("workers")
                .put("confinement", workers.sandbox().confinement().name().toLowerCase(Locale.ROOT))
                .put("isolated", workers.sandbox().isWall())
                .put("own_user", workers.sandbox().ownUser())
                .put("low_priority", workers.lowPriority())
                .put("memory_limit", workers.memoryLimit());
        browser.ifPresentOrElse(
                found -> browser(isolation.putObject("browser"), found),
                () -> isolation.putNull("browser"));
    }

    private static void browser(ObjectNode json, BrowserFacts facts) {
        json.put("version", facts.version())
                .put("sandbox", facts.sandboxed())
                .put("own_user", facts.user().isPresent())
                .put("own_network", facts.ownNetwork());
    }

    /** Three decimals: more would say more than was measured. */
    private static void share(ObjectNode json, String name, OptionalDouble share) {
        if (share.isPresent()) {
            json.put(name, Math.round(share.getAsDouble() * 1_000) / 1_000.0);
        } else {
            json.putNull(name);
        }
    }

    private static void percent(ObjectNode json, String name, OptionalInt percent) {
        share(
                json,
                name,
                percent.isPresent()
                        ? OptionalDouble.of(percent.getAsInt() / PERCENT)
                        : OptionalDouble.empty());
    }

    private static void number(ObjectNode json, String name, OptionalLong number) {
        if (number.isPresent()) {
            json.put(name, number.getAsLong());
        } else {
            json.putNull(name);
        }
    }

    private static void text(ObjectNode json, String name, String text) {
        if (text.isEmpty()) {
            json.putNull(name);
        } else {
            json.put(name, text);
        }
    }
}
