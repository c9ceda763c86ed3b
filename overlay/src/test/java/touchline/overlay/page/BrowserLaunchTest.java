package touchline.overlay.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import touchline.media.worker.EmptyNetwork;

/** The command that starts a browser. */
class BrowserLaunchTest {
    private static final BrowserLaunch LAUNCH = BrowserLaunch.of(Path.of("/opt/shell"));
    private static final String NO_NICE = "--bounding-set=-sys_nice";

    private static List<String> command(BrowserLaunch launch, boolean isRoot) {
        return launch.command(Path.of("/folder"), isRoot);
    }

    @Test
    void rootWithoutAnotherUser_cannotRaiseItsPriority() {
        BrowserLaunch asRoot = LAUNCH.withoutSandbox().withLowPriority();

        assertTrue(command(asRoot, true).contains(NO_NICE));
        assertFalse(command(asRoot, false).contains(NO_NICE));
        // The browser of a test or of a viewer does not compete with a server.
        assertFalse(command(LAUNCH.withoutSandbox(), true).contains(NO_NICE));
    }

    @Test
    void anotherUser_hasNoRightToRaiseItsPriority() {
        List<String> command =
                command(LAUNCH.withLowPriority().as(new BrowserUser("nobody", 65534)), true);

        assertTrue(command.contains("--bounding-set=-all"), command::toString);
        assertFalse(command.contains(NO_NICE), command::toString);
    }

    @Test
    void networkOfRoot_isEnteredBeforeTheUserChanges() {
        BrowserLaunch launch = LAUNCH.withLowPriority().as(new BrowserUser("nobody", 65534));

        assertEquals(
                List.of("nice", "unshare", "setpriv", "shell"),
                programs(command(launch.in(EmptyNetwork.AS_ROOT), true)));
    }

    @Test
    void networkOfAUser_isEnteredAsThatUser() {
        BrowserLaunch launch = LAUNCH.withLowPriority();

        assertEquals(
                List.of("nice", "unshare", "shell"),
                programs(command(launch.in(EmptyNetwork.AS_USER), false)));
        assertEquals(
                List.of("nice", "setpriv", "unshare", "shell"),
                programs(
                        command(
                                launch.as(new BrowserUser("nobody", 65534))
                                        .in(EmptyNetwork.AS_USER),
                                true)));
    }

    @Test
    void relaySocket_liesInTheBrowsersFolder() {
        List<String> command = command(LAUNCH.in(EmptyNetwork.AS_USER), false);

        assertTrue(command.contains("/folder/relay"), command::toString);
        assertTrue(command.contains("--user-data-dir=/folder/profile"), command::toString);
    }

    private static List<String> programs(List<String> command) {
        return command.stream()
                .map(each -> each.replaceFirst(".*/", ""))
                .filter(List.of("nice", "setpriv", "unshare", "shell")::contains)
                .toList();
    }
}
