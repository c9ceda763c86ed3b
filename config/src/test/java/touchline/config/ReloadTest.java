package touchline.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReloadTest {
    @TempDir private Path folder;
    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("touchline.yaml");
    }

    @Test
    void changes_nameKeysWithTheirOldAndNewValues() throws IOException {
        LoadedConfig before = load("rtmp: {max-connections: 100, port: 1935}\n");

        LoadedConfig after = load("rtmp: {max-connections: 7, port: 1936}\nlog: {level: debug}\n");

        assertEquals(
                List.of(
                        new LoadedConfig.Change("log.level", "info", "debug", true),
                        new LoadedConfig.Change("rtmp.max-connections", "100", "7", true),
                        new LoadedConfig.Change("rtmp.port", "1935", "1936", false)),
                before.changesTo(after));
    }

    @Test
    void anotherSpellingOfAValue_isNoChange() throws IOException {
        LoadedConfig before =
                load("storage: {min-free: 1GiB}\negress: {allow: [10.0.0.0/8, '::1']}\n");

        LoadedConfig after =
                load("storage: {min-free: 1024MiB}\negress: {allow: '10.0.0.0/8,::1'}\n");

        assertEquals(List.of(), before.changesTo(after));
    }

    @Test
    void secret_isNotShown() throws IOException {
        LoadedConfig before = load("auth: {admin-secret: first-secret-0123}\n");

        LoadedConfig after = load("auth: {admin-secret: other-secret-0123}\n");

        assertEquals(
                List.of(new LoadedConfig.Change("auth.admin-secret", "", "", false)),
                before.changesTo(after));
    }

    @Test
    void noSecret_isReloadable() throws IOException {
        Set<String> reloadable = load("").reloadableKeys();

        assertTrue(reloadable.contains("egress.allow"), reloadable.toString());
        for (String key :
                List.of("auth.admin-secret", "auth.master-key", "db.url", "db.password")) {
            assertFalse(reloadable.contains(key), key);
        }
    }

    @Test
    void reloaded_takesReloadableKeysOnly() throws IOException {
        LoadedConfig before = load("rtmp: {max-connections: 100, port: 2000}\n");

        LoadedConfig mixed =
                before.reloaded(
                        load("rtmp: {max-connections: 7, port: 2001}\nlog: {format: json}\n"));

        assertEquals(7, mixed.config().rtmp().maxConnections());
        assertEquals(2000, mixed.config().rtmp().port());
        assertEquals(LogConfig.Format.JSON, mixed.config().log().format());
    }

    @Test
    void reloaded_withoutTheKey_takesItsDefault() throws IOException {
        LoadedConfig before = load("rtmp: {max-connections: 100}\n");

        assertEquals(20_000, before.reloaded(load("")).config().rtmp().maxConnections());
    }

    @Test
    void environment_winsAgain() throws IOException {
        ConfigSource source =
                new ConfigLoader(Map.of("TOUCHLINE_LOG_LEVEL", "warn"), folder)
                        .source(Optional.of(file));
        Files.writeString(file, "log: {level: debug}\n");

        assertEquals(LogConfig.Level.WARN, source.load().config().log().level());
    }

    @Test
    void malformedFile_namesEveryKey() throws IOException {
        LoadedConfig before = load("");
        Files.writeString(file, "rtmp: {max-connections: many}\nlog: {level: loud}\n");

        ConfigException refused = assertThrows(ConfigException.class, () -> before.source().load());

        assertEquals(2, refused.problems().size(), refused.getMessage());
        assertTrue(
                refused.problems().stream().anyMatch(each -> each.startsWith("log.level: 'loud'")),
                refused.getMessage());
    }

    @Test
    void liveConfig_keepsBoundPortsAndAddresses() throws IOException {
        ServerConfig bound = load("rtmp: {port: 0}\n").config();
        bound =
                bound.withListeners(
                        bound.api().withPort(5001),
                        bound.playback().withPort(5002),
                        bound.rtmp().withPort(5003),
                        bound.cluster().withPort(5004),
                        bound.tls(),
                        bound.publicUrls());
        LiveConfig live = new LiveConfig(bound);
        var rtmp = live.section(ServerConfig::rtmp);

        live.replace(load("rtmp: {port: 0, max-connections: 9}\n").config());

        assertEquals(5003, rtmp.get().port());
        assertEquals(9, rtmp.get().maxConnections());
        assertEquals(5001, live.get().api().port());
        assertEquals(5004, live.get().cluster().port());
        assertSame(bound.publicUrls(), live.get().publicUrls());
    }

    private LoadedConfig load(String yaml) throws IOException {
        Files.writeString(file, yaml);
        return new ConfigLoader(Map.of(), folder).source(Optional.of(file)).load();
    }
}
