package touchline.overlay.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BrowserFolderTest {
    @TempDir private Path parent;

    @Test
    void folder_closed_isGoneWithAllThatIsInIt() throws IOException {
        Path path;
        try (BrowserFolder folder = BrowserFolder.open(parent)) {
            path = folder.path();
            Files.createDirectories(path.resolve("profile/Default"));
            Files.writeString(path.resolve("profile/Default/Cookies"), "x");
        }

        assertFalse(Files.exists(path));
    }

    @Test
    void folder_ofTheServersUser_liesInTheServersFolder_unlessItsPathIsTooLong()
            throws IOException {
        String temporary = System.getProperty("java.io.tmpdir");
        Path own = Files.createTempDirectory("t");
        Path tooLong = own.resolve("l".repeat(40));
        for (Path given : List.of(own, tooLong)) {
            System.setProperty(BrowserFolder.FOLDER, given.toString());
            try (BrowserFolder ofServer = BrowserFolder.open(/* ofServer= */ true);
                    BrowserFolder ofOther = BrowserFolder.open(/* ofServer= */ false)) {
                assertEquals(
                        given.equals(own) ? own : Path.of(temporary), ofServer.path().getParent());
                assertEquals(Path.of(temporary), ofOther.path().getParent());
            } finally {
                System.clearProperty(BrowserFolder.FOLDER);
            }
        }
        Files.delete(own);
    }

    @Test
    void folder_inUse_staysWhenAnotherIsOpened() throws IOException {
        try (BrowserFolder one = BrowserFolder.open(parent);
                BrowserFolder other = BrowserFolder.open(parent)) {
            assertTrue(Files.exists(one.path()));
            assertTrue(Files.exists(other.path()));
        }
    }

    @Test
    void folder_ofAKilledServer_isRemoved_andNoLinkInItIsFollowed() throws IOException {
        Path precious = Files.writeString(parent.resolve("precious"), "kept");
        Path left = Files.createDirectory(parent.resolve("touchline-browser1"));
        Files.createFile(left.resolve("server.lock"));
        Files.createSymbolicLink(left.resolve("away"), parent);
        Files.createSymbolicLink(parent.resolve("touchline-browser2"), parent);

        BrowserFolder.open(parent).close();

        assertFalse(Files.exists(left));
        assertEquals("kept", Files.readString(precious));
        assertTrue(Files.exists(parent.resolve("touchline-browser2"), LinkOption.NOFOLLOW_LINKS));
    }

    @Test
    void folder_withoutALock_isRemovedWhenItIsOld() throws IOException {
        Path young = Files.createDirectory(parent.resolve("touchline-browser3"));
        Path old = Files.createDirectory(parent.resolve("touchline-browser4"));
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minusSeconds(120)));

        BrowserFolder.open(parent).close();

        assertTrue(Files.exists(young));
        assertFalse(Files.exists(old));
    }
}
