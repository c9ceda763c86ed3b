package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.http.Reload;
import touchline.config.ConfigException;
import touchline.config.ConfigLoader;
import touchline.config.LiveConfig;
import touchline.config.LoadedConfig;
import touchline.config.ServerConfig;

final class ConfigReloadTest {
    @TempDir private Path folder;
    private Path file;
    private final List<Reload.Report> applied = new ArrayList<>();
    private LiveConfig live;
    private ConfigReload reload;

    @BeforeEach
    void start() throws IOException {
        file = folder.resolve("touchline.yaml");
        Files.writeString(file, "");
        LoadedConfig started = new ConfigLoader(Map.of(), folder).source(Optional.of(file)).load();
        live = new LiveConfig(started.config());
        reload = new ConfigReload(started, live, applied::add);
    }

    @Test
    void changedKeys_areAppliedOrNamed() throws IOException {
        Files.writeString(file, "rtmp: {max-connections: 9, port: 1}\n");

        Reload.Report report = reload.run();

        assertEquals(
                List.of(new Reload.Applied("rtmp.max-connections", "20000", "9")),
                report.applied());
        assertEquals(List.of("rtmp.port"), report.restartRequired());
        assertEquals(9, live.get().rtmp().maxConnections());
        assertEquals(1935, live.get().rtmp().port());
        assertEquals(List.of(report), applied);
    }

    @Test
    void secondReload_appliesNothing_andStillNamesTheRestart() throws IOException {
        Files.writeString(file, "rtmp: {max-connections: 9, port: 1}\n");
        Reload.Report _ = reload.run();

        assertEquals(new Reload.Report(List.of(), List.of("rtmp.port")), reload.run());
    }

    @Test
    void malformedFile_changesNothing() throws IOException {
        ServerConfig before = live.get();
        Files.writeString(file, "rtmp: {max-connections: 9, port: many}\n");

        assertThrows(ConfigException.class, reload::run);

        assertSame(before, live.get());
        assertEquals(List.of(), applied);
    }

    @Test
    void missingFile_changesNothing() throws IOException {
        ServerConfig before = live.get();
        Files.delete(file);

        assertThrows(ConfigException.class, reload::run);

        assertSame(before, live.get());
    }

    /** Each of two keys is published with the other: no reader sees a mixture. */
    @Test
    void concurrentReloads_areOneAfterTheOther() throws Exception {
        Files.writeString(file, "rtmp: {max-connections: 9, max-connections-per-address: 9}\n");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Reload.Report> one = reload::run;
            int changed = 0;
            for (Future<Reload.Report> each : threads.invokeAll(List.of(one, one, one, one))) {
                changed += each.get().applied().size();
            }
            assertEquals(2, changed);
        }
    }
}
