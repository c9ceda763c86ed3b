package touchline.api.db;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import touchline.api.domain.AudioDelivery;
import touchline.api.domain.AudioMixSettings;
import touchline.api.domain.AuditSettings;
import touchline.api.domain.OverlaySettings;
import touchline.api.domain.SessionReport;
import touchline.api.domain.WatermarkSettings;
import touchline.media.hub.IngestReport;

/** Settings as JSON text of a column, without push keys. Any thread. */
final class SettingsJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private SettingsJson() {}

    static String write(AuditSettings audit) {
        ObjectNode json = JSON.createObjectNode();
        json.put("frame_interval", audit.frameIntervalSeconds());
        json.put("samples", audit.samples());
        ObjectNode models = json.putObject("models");
        audit.models().forEach(models::put);
        json.put("on_reject", audit.onReject().wireName());
        json.put("gate", audit.gate());
        return json.toString();
    }

    static AuditSettings readAudit(String text) {
        JsonNode json = parse(text);
        LinkedHashMap<String, Double> models = new LinkedHashMap<>();
        for (var model : json.get("models").properties()) {
            models.put(model.getKey(), model.getValue().asDouble());
        }
        return new AuditSettings(
                json.get("frame_interval").asInt(),
                // Rows of earlier versions have none.
                json.path("samples").asInt(1),
                models,
                AuditSettings.OnReject.of(json.get("on_reject").asText()).orElseThrow(),
                json.get("gate").asBoolean());
    }

    static String write(WatermarkSettings watermark) {
        ObjectNode json = JSON.createObjectNode();
        json.put("type", watermark.type());
        switch (watermark) {
            case WatermarkSettings.Html html -> {
                json.put("url", html.url());
                json.put("page_load_timeout", html.pageLoadTimeoutSeconds());
            }
            case WatermarkSettings.Stream stream -> {
                AudioMixSettings mix = stream.audioMix();
                json.putObject("audio_mix_settings")
                        .put("mode", mix.mode().wireName())
                        .put("volume_main", mix.volumeMain())
                        .put("volume_secondary", mix.volumeSecondary());
            }
        }
        watermark.overlay().ifPresent(overlay -> json.set("overlay_settings", overlay(overlay)));
        return json.toString();
    }

    private static ObjectNode overlay(OverlaySettings overlay) {
        ObjectNode json = JSON.createObjectNode();
        overlay.width().ifPresent(text -> json.put("width", text));
        overlay.height().ifPresent(text -> json.put("height", text));
        overlay.verticalAlign().ifPresent(text -> json.put("vertical_align", text));
        overlay.horizontalAlign().ifPresent(text -> json.put("horizontal_align", text));
        overlay.opacity().ifPresent(text -> json.put("opacity", text));
        overlay.verticalMargin().ifPresent(text -> json.put("vertical_margin", text));
        overlay.horizontalMargin().ifPresent(text -> json.put("horizontal_margin", text));
        return json;
    }

    /**
     * @param overlayKey push key of the scoreboard; present for type stream only
     */
    static WatermarkSettings readWatermark(String text, @Nullable String overlayKey) {
        JsonNode json = parse(text);
        Optional<OverlaySettings> overlay =
                Optional.ofNullable(json.get("overlay_settings")).map(SettingsJson::readOverlay);
        String type = json.get("type").asText();
        if (type.equals(WatermarkSettings.Html.TYPE)) {
            return new WatermarkSettings.Html(
                    json.get("url").asText(), json.get("page_load_timeout").asInt(), overlay);
        }
        if (!type.equals(WatermarkSettings.Stream.TYPE) || overlayKey == null) {
            throw new DatabaseException("watermark: type " + type + " (expected: html, or stream)");
        }
        JsonNode mix = json.get("audio_mix_settings");
        return new WatermarkSettings.Stream(
                overlayKey,
                new AudioMixSettings(
                        AudioMixSettings.Mode.of(mix.get("mode").asText()).orElseThrow(),
                        mix.get("volume_main").asDouble(),
                        mix.get("volume_secondary").asDouble()),
                overlay);
    }

    private static OverlaySettings readOverlay(JsonNode json) {
        return new OverlaySettings(
                text(json, "width"),
                text(json, "height"),
                text(json, "vertical_align"),
                text(json, "horizontal_align"),
                text(json, "opacity"),
                text(json, "vertical_margin"),
                text(json, "horizontal_margin"));
    }

    private static Optional<String> text(JsonNode json, String field) {
        return Optional.ofNullable(json.get(field)).map(JsonNode::asText);
    }

    static String write(SessionReport report) {
        ObjectNode json = JSON.createObjectNode();
        ArrayNode codecs = json.putArray("codecs");
        report.codecs().forEach(codecs::add);
        json.put("audio", report.audio().wireName());
        json.put("width", report.width());
        json.put("height", report.height());
        json.put("frame_rate", report.frameRate());
        json.put("video_bitrate", report.videoBitrateBps());
        json.put("audio_bitrate", report.audioBitrateBps());
        ArrayNode warnings = json.putArray("warnings");
        for (IngestReport.Warning warning : report.warnings()) {
            ObjectNode each =
                    warnings.addObject()
                            .put("code", warning.code())
                            .put("message", warning.message())
                            .put("at_ms", warning.at().toEpochMilli());
            warning.endedAt().ifPresent(at -> each.put("ended_at_ms", at.toEpochMilli()));
        }
        return json.toString();
    }

    static SessionReport readReport(String text) {
        JsonNode json = parse(text);
        List<String> codecs = new ArrayList<>();
        json.get("codecs").forEach(codec -> codecs.add(codec.asText()));
        List<IngestReport.Warning> warnings = new ArrayList<>();
        for (JsonNode warning : json.get("warnings")) {
            warnings.add(
                    new IngestReport.Warning(
                            warning.get("code").asText(),
                            warning.get("message").asText(),
                            Instant.ofEpochMilli(warning.get("at_ms").asLong()),
                            Optional.ofNullable(warning.get("ended_at_ms"))
                                    .map(at -> Instant.ofEpochMilli(at.asLong()))));
        }
        return new SessionReport(
                codecs,
                AudioDelivery.of(json.path("audio").asText()).orElse(AudioDelivery.UNCHANGED),
                json.get("width").asInt(),
                json.get("height").asInt(),
                json.get("frame_rate").asDouble(),
                json.get("video_bitrate").asLong(),
                json.get("audio_bitrate").asLong(),
                warnings);
    }

    static String write(List<String> texts) {
        ArrayNode json = JSON.createArrayNode();
        texts.forEach(json::add);
        return json.toString();
    }

    static List<String> readTexts(String text) {
        List<String> texts = new ArrayList<>();
        parse(text).forEach(each -> texts.add(each.asText()));
        return texts;
    }

    private static JsonNode parse(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new DatabaseException("stored JSON: " + e.getOriginalMessage(), e);
        }
    }
}
